/** Secrets of webhook endpoints, and the signature of a delivery, as Standard Webhooks has them. */
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { SignatureKind, Webhook } from '../../domain/webhooks/webhook.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from '../core/aead.js';

const SECRET_BYTES = 32;
/** A sealed private key has some 150 characters. */
const SEALED_MAX = 512;

export interface NewSecret {
  /** For the record of the endpoint. */
  readonly sealed: string;
  /** `whsec_...`, shown once; undefined where the client gets a public key instead. */
  readonly shown: string | undefined;
  /** `whpk_...`; '' of a symmetric secret. */
  readonly publicKey: string;
}

/** The text is bound to its endpoint: copied to another one it cannot be opened. */
export function newSecret(subKey: SubKey, webhookId: string, kind: SignatureKind): NewSecret {
  const key = subKey('webhooks');
  if (kind === 'symmetric') {
    const secret = symmetricSecret();
    return { sealed: seal(key, secret, webhookId), shown: secret, publicKey: '' };
  }
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = `whpk_${Buffer.from(x!, 'base64url').toString('base64')}`;
  return { sealed: seal(key, `${d}.${x}`, webhookId), shown: undefined, publicKey };
}

export const symmetricSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Headers of one attempt; the body must be sent as these bytes. `secrets` as `secretsOf` returns them. */
export function signedHeaders(
  secrets: readonly SigningKey[],
  eventId: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = `${eventId}.${timestamp}.${body}`;
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signatureOf(secret, signed)).join(' '),
  };
}

/** What one signature is made with: the bytes of a secret, or a private key of ed25519. */
export type SigningKey = Buffer | KeyObject;

/** The secret of `whsec_...`. */
export const signingKey = (secret: string): SigningKey => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** The endpoint's secret, and while it is rotated the one before. Throws where the record was not sealed under this master key. */
export function secretsOf(subKey: SubKey, webhook: Webhook, nowMs: number): readonly SigningKey[] {
  const { id, signature, secret, previousSecret, previousUntilMs } = webhook;
  const open = (sealed: string): SigningKey => {
    const opened = openSealed(subKey('webhooks'), sealed, SEALED_MAX, id);
    if (opened === undefined)
      throw new Error(`the secret of ${id} cannot be opened: it was altered, or is of another key`);
    if (signature === 'symmetric') return signingKey(opened.text);
    const [d = '', x = ''] = opened.text.split('.');
    return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  };
  return [open(secret), ...(previousSecret !== '' && nowMs < previousUntilMs ? [open(previousSecret)] : [])];
}

function signatureOf(key: SigningKey, signed: string): string {
  if (Buffer.isBuffer(key)) return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return `v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`;
}
