/** What was asked for by way of payments and fundings, and what was told of it, kept outside of the programs that are killed. */
import type { CrashClient } from '../clients.js';
import type { Body } from '../intents.js';
import type { PaymentOrder } from './payment-orders.js';

/** What came of one time that a payment was sent. */
export type Told =
  | { readonly kind: 'created'; readonly paymentId: string; readonly body: Body }
  /** 409: the transaction number has a payment. */
  | { readonly kind: 'duplicate'; readonly paymentId: string; readonly requestId: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** What came of asking for something to be done to a payment. */
export type Asked = 'done' | 'refused' | 'none' | 'unknown';

/** One payment of a client under its transaction number, however often it is sent. */
export class PaymentIntent {
  readonly told: Told[] = [];
  readonly cancels: Asked[] = [];
  readonly answers: Asked[] = [];
  /** How often it was begun to be sent. */
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

  /** By whichever answer. */
  get paymentId(): string | undefined {
    return this.told.flatMap((one) => ('paymentId' in one ? [one.paymentId] : []))[0];
  }

  /** Every time it was refused, or never reached the store. */
  get mustNotExist(): boolean {
    return this.told.every(({ kind }) => kind === 'refused' || kind === 'none');
  }
}

/** Money that comes: announced by the client and found by the sandbox, or credited by an operator. */
export interface MoneyIntent {
  readonly kind: 'funding' | 'credit';
  /** Request id, or reference. */
  readonly name: string;
  readonly client: CrashClient;
  readonly account: number;
  readonly currency: string;
  readonly minor: bigint;
  readonly isRejected: boolean;
  /** Ledger references that were told; of a credit its own name. */
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
