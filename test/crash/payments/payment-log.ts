/** The requests for payments and fundings and their answers, recorded outside of the programs that are killed. */
import type { CrashClient } from '../clients.js';
import type { Body } from '../intents.js';
import type { PaymentOrder } from './payment-orders.js';

/** The outcome of sending a payment once. */
export type Told =
  | { readonly kind: 'created'; readonly paymentId: string; readonly body: Body }
  /** 409: the transaction number has a payment. */
  | { readonly kind: 'duplicate'; readonly paymentId: string; readonly requestId: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** The outcome of a request about a payment. */
export type Asked = 'done' | 'refused' | 'none' | 'unknown';

/** One payment of a client under its transaction number, however often it is sent. */
export class PaymentIntent {
  readonly told: Told[] = [];
  readonly cancels: Asked[] = [];
  readonly answers: Asked[] = [];
  /** How often sending it was begun. */
  sent = 0;

  constructor(
    /** The request id too. */
    readonly number: string,
    readonly client: CrashClient,
    readonly round: number,
    readonly order: PaymentOrder,
  ) {}

  get created(): Extract<Told, { kind: 'created' }> | undefined {
    return this.told.find((one) => one.kind === 'created');
  }

  /** From any answer. */
  get paymentId(): string | undefined {
    return this.told.flatMap((one) => ('paymentId' in one ? [one.paymentId] : []))[0];
  }

  /** Every attempt was refused, or never reached the store. */
  get mustNotExist(): boolean {
    return this.told.every(({ kind }) => kind === 'refused' || kind === 'none');
  }
}

/** Money to be credited: announced by the client and completed by the sandbox, or deposited by an operator. */
export interface MoneyIntent {
  readonly kind: 'funding' | 'credit';
  /** Request id, or reference. */
  readonly name: string;
  readonly client: CrashClient;
  readonly account: number;
  readonly currency: string;
  readonly minor: bigint;
  readonly isRejected: boolean;
  /** Ledger references from answers; of a deposit its own name. */
  readonly told: Set<string>;
  isSent: boolean;
}

export class PaymentLog {
  readonly payments = new Map<string, PaymentIntent>();
  readonly money = new Map<string, MoneyIntent>();
  #count = 0;

  constructor(readonly run: string) {}

  open(client: CrashClient, round: number, order: PaymentOrder): PaymentIntent {
    const number = `P${this.run}.${round}.${this.#count++}`;
    const intent = new PaymentIntent(number, client, round, order);
    this.payments.set(number, intent);
    return intent;
  }

  openMoney(round: number, asked: Omit<MoneyIntent, 'name' | 'told' | 'isSent'>): MoneyIntent {
    const name = `M${this.run}.${round}.${this.#count++}`;
    const intent: MoneyIntent = { ...asked, name, told: new Set(), isSent: false };
    this.money.set(name, intent);
    return intent;
  }

  of(round: number): PaymentIntent[] {
    return [...this.payments.values()].filter((intent) => intent.round === round);
  }
}
