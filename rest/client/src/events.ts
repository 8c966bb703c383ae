/** What a webhook carries, by the type of the event, and the answer to it. */
import type { Decimals } from './client.js';
import type { components } from './openapi/document.js';

type Schemas<D extends Decimals> = components<D extends 'string' ? string : number>['schemas'];
type Body = components['schemas']['EventBody'];
/** The closed list of types; later versions of ratewire may have further ones, which an endpoint for `*` gets too. */
export type EventType = Body['type'];
/** The part before the point. */
type FamilyOf<Type extends EventType> = Type extends `${infer Family}.${string}` ? Family : Type;

/** The resource of each family, as its own path shows it. */
interface Resources<S extends Schemas<Decimals>> {
  readonly payment: S['Payment'];
  readonly conversion: S['BookFxConfirmation'];
  readonly hold: S['Hold'];
  readonly funding: S['Funding'];
  readonly account: S['Account'];
  readonly receivable: Pick<S['AccountEntry'], 'currency' | 'amount' | 'reference'> & {
    readonly account_number: number;
    readonly owed_amount: S['AccountEntry']['amount'];
  };
  readonly beneficiary: S['Beneficiary'];
  readonly batch: S['BatchSummary'];
  readonly verification: Pick<S['PayeeVerification'], 'verification_id' | 'answer' | 'scheme' | 'code'>;
  readonly key: { readonly client_key: string; readonly live_secrets: number; readonly revoked: boolean };
  /** The URL may have a credential: its host, and the SHA-256 of the whole in hexadecimal digits, which shows another one. */
  readonly webhook: Pick<
    S['Webhook'],
    | 'webhook_id'
    | 'name'
    | 'types'
    | 'active'
    | 'inactive_reason'
    | 'signature'
    | 'public_key'
    | 'previous_secret_until'
    | 'version'
  > & { readonly host: string; readonly url_sha256: string };
  readonly test: Pick<S['Webhook'], 'webhook_id'>;
  /** `of` is a currency, or a settlement date as YYYYMMDD; absent: the limit is one of all together. */
  readonly limit: { readonly limit: 'nop' | 'settlement'; readonly of?: string; readonly warn_percent: number };
}

/** A union by `type`: `if (event.type === 'payment.paid') event.data.object.payment_id`. */
export type WebhookEvent<D extends Decimals = 'number', Type extends EventType = EventType> = Type extends EventType
  ? Readonly<Omit<Body, 'type' | 'data'>> & {
      readonly type: Type;
      readonly data: {
        /** As its GET showed it at that moment; empty where ratewire no longer keeps it. */
        readonly object: Resources<Schemas<D>>[FamilyOf<Type>];
        /** What has changed, with the values before. */
        readonly previous: Partial<Resources<Schemas<D>>[FamilyOf<Type>]>;
      };
    }
  : never;

/** Asks whether the URL of an endpoint wants events: the answer must have `challenge`, as `webhookAnswer` gives it. */
export interface WebhookChallenge {
  readonly type: 'webhook.challenge';
  readonly timestamp: string;
  readonly sequence: 0;
  readonly challenge: string;
  readonly data: { readonly object: Pick<components['schemas']['Webhook'], 'webhook_id'>; readonly previous: object };
}

/** The body to answer a verified message with, by 200: it confirms the endpoint where the message is a challenge, and is empty otherwise. */
export const webhookAnswer = (message: WebhookEvent<Decimals> | WebhookChallenge): string =>
  message.type === 'webhook.challenge' ? JSON.stringify({ challenge: message.challenge }) : '';
