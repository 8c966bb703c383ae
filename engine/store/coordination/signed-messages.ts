/**
 * Signed messages on the store's channels: prices, risk figures, revocations, queries to engines and their answers. Any Redis user with the right to
 * PUBLISH can send to those channels, so each message has an HMAC-SHA-256 under a sub-key of the master key, over the channel, the sender
 * (for prices and risk figures the holding of a lease), a strictly rising number, the sender's estimate of the server's time, and the body. Little
 * endian: 'RS', version u8, length of the sender u8, number f64, time f64 ms, HMAC (32 bytes), sender, body.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';

export const MESSAGE_VERSION = 1;
const MAC_AT = 20;
const HEAD_BYTES = 52;
/** An older query or revocation is dropped; the clocks of a cluster's nodes may differ by this much. */
const OLD_MS = 5_000;
const SENDERS_MAX = 1_000;

export interface SignedMessage {
  readonly sender: string;
  readonly number: number;
  /** Epoch ms by the server's clock, as the sender knew it. */
  readonly atMs: number;
  readonly body: Buffer;
}

/** Another release or no ratewire message; not signed with the key for this channel; too old; not after the last one of its sender. */
export const DROP_REASONS = ['version', 'forged', 'old', 'order'] as const;
export type DropReason = (typeof DROP_REASONS)[number];
export const SIGNED_KINDS = ['relay', 'revocation', 'query', 'risk'] as const;
export type SignedKind = (typeof SIGNED_KINDS)[number];

export class MessageSigner {
  readonly #key: KeyObject;

  /** `key`: 32 bytes, the same for every process on one store. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  sign(channel: string, { sender, number, atMs, body }: SignedMessage): Buffer {
    const message = Buffer.allocUnsafe(HEAD_BYTES + sender.length + body.length);
    message.write('RS', 'latin1');
    message[2] = MESSAGE_VERSION;
    message[3] = sender.length;
    message.writeDoubleLE(number, 4);
    message.writeDoubleLE(atMs, 12);
    message.write(sender, HEAD_BYTES, 'latin1');
    body.copy(message, HEAD_BYTES + sender.length);
    this.#mac(channel, message).copy(message, MAC_AT);
    return message;
  }

  verify(channel: string, message: Buffer): SignedMessage | 'version' | 'forged' {
    if (message.length < HEAD_BYTES || message.toString('latin1', 0, 2) !== 'RS' || message[2] !== MESSAGE_VERSION)
      return 'version';
    const bodyAt = HEAD_BYTES + message[3]!;
    if (bodyAt > message.length) return 'forged';
    if (!timingSafeEqual(this.#mac(channel, message), message.subarray(MAC_AT, HEAD_BYTES))) return 'forged';
    return {
      sender: message.toString('latin1', HEAD_BYTES, bodyAt),
      number: message.readDoubleLE(4),
      atMs: message.readDoubleLE(12),
      body: message.subarray(bodyAt),
    };
  }

  #mac(channel: string, message: Buffer): Buffer {
    const mac = createHmac('sha256', this.#key).update(`${channel}\0`);
    return mac.update(message.subarray(0, MAC_AT)).update(message.subarray(HEAD_BYTES)).digest();
  }
}

export interface SignedChannels {
  /** By kind and reason, since the start. */
  readonly dropped: Readonly<Record<SignedKind, Record<DropReason, number>>>;
  readonly signer: MessageSigner;
  /** Of this process, over all channels. */
  nextNumber(): number;
  /** The number of subscribers that received it. Rejects with StoreUnavailable, also while the server's time is not known. */
  publish(channel: string, text: string): Promise<number>;
  /** May get lost. Never rejects. */
  notify(channel: string, text: string): void;
  /** Messages that a process with the same master key has sent in the last 5 seconds, each once. */
  subscribe(kind: SignedKind, channel: string, receive: (body: Buffer) => void): () => void;
}

/** `sender` identifies this process. */
export function signedChannels(connection: Connection, key: Buffer, sender: string): SignedChannels {
  const signer = new MessageSigner(key);
  const none = (): Record<DropReason, number> => ({ version: 0, forged: 0, old: 0, order: 0 });
  const dropped = { relay: none(), revocation: none(), query: none(), risk: none() };
  let number = 0;
  const nextNumber = (): number => ++number;
  const signed = (channel: string, text: string): Buffer | undefined => {
    const atMs = connection.serverMs();
    return atMs === undefined
      ? undefined
      : signer.sign(channel, { sender, number: nextNumber(), atMs, body: Buffer.from(text) });
  };
  // One after the other: on a cluster the subscribers are counted before publishing, and the numbers of a sender must rise.
  let last: Promise<unknown> = Promise.resolve();

  return {
    dropped,
    signer,
    nextNumber,
    publish(channel, text) {
      const publishing = last.then(() => {
        const message = signed(channel, text);
        if (message === undefined) throw new StoreUnavailable('none');
        return connection.publish(channel, message);
      });
      last = publishing.catch(() => {});
      return publishing;
    },
    notify(channel, text) {
      const message = signed(channel, text);
      if (message) connection.notify(channel, message);
    },
    subscribe(kind, channel, receive) {
      const senders = new Map<string, { readonly number: number; readonly atMs: number }>();
      return connection.subscribe(channel, (message) => {
        if (message.length === 0) return;
        const read = signer.verify(channel, message);
        const reason = typeof read === 'string' ? read : dropReason(read, connection.serverMs(), senders);
        if (typeof read !== 'string' && reason === undefined) receive(read.body);
        else if (reason) dropped[kind][reason] += 1;
      });
    },
  };
}

function dropReason(
  { sender, number, atMs }: SignedMessage,
  nowMs: number | undefined,
  senders: Map<string, { readonly number: number; readonly atMs: number }>,
): DropReason | undefined {
  // While the server's time is not known, an old message cannot be recognised.
  if (nowMs === undefined || !(Math.abs(nowMs - atMs) <= OLD_MS)) return 'old';
  if (!(number > (senders.get(sender)?.number ?? 0))) return 'order';
  if (senders.size >= SENDERS_MAX && !senders.has(sender)) {
    // What such a sender has sent is too old to be accepted again.
    for (const [name, seen] of senders) if (nowMs - seen.atMs > 2 * OLD_MS) senders.delete(name);
    if (senders.size >= SENDERS_MAX) return 'order';
  }
  senders.set(sender, { number, atMs });
  return undefined;
}
