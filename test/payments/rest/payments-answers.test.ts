/** A row for every field of every answer about a payment, at each status: its JSON type, and what it says exactly. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fields, MONDAY } from '../../rest/money-door.js';
import { INTERFACE } from '../../rest/openapi/interface.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

const BASE32 = '[0-9A-HJKMNP-TV-Z]{17}';
const PAYMENT_ID = new RegExp(`^PAY${BASE32}$`);
const BOOKING_ID = new RegExp(`^BFX${BASE32}$`);
const CREATED_AT = '2028-07-03T10:00:00.000+00:00';
/** Each step is taken a minute later. */
const MINUTE_MS = 60_000;

/** In the interface's words. */
const TEXT = {
  IN_PROCESS: 'Payment in internal process',
  COMPLIANCE_VERIFICATION: 'Payment with compliance for further verification',
  COMPLIANCE_REJECTED: 'Payment rejected by compliance',
  COMPLIANCE_APPROVED: 'Payment approved by compliance',
  INFO_REQUESTED: 'Additional remitter or beneficiary information requested for compliance verification',
  PG_PROCESSING: 'Payment sent to the beneficiary bank',
  PAID: 'Payment successfully paid',
  RETURNED: 'Payment returned from the beneficiary bank',
  CANCELLED: 'Payment cancelled',
  ERROR: 'Payment instruction erroneous',
  USER_REJECTED: 'Transaction cancelled by the client',
  AWAITING_FUNDS: 'Payment is processed once funds are received',
} as const;
type Status = keyof typeof TEXT;

interface Step {
  readonly to: Status;
  readonly subStatus?: 'TIMED_OUT' | 'SENT_TO_BENEFICIARY_BANK' | 'DEEMED_PAID';
  readonly description?: string;
  readonly bankReference?: string;
}

/** Each status by a way that leads there, and its answer. */
const STATUSES: readonly (readonly [
  status: Status,
  way: readonly Step[],
  sub?: string,
  more?: string,
  reference?: string,
])[] = [
  ['IN_PROCESS', []],
  ['AWAITING_FUNDS', []],
  ['COMPLIANCE_VERIFICATION', [{ to: 'COMPLIANCE_VERIFICATION' }]],
  [
    'COMPLIANCE_REJECTED',
    [{ to: 'COMPLIANCE_VERIFICATION' }, { to: 'COMPLIANCE_REJECTED', description: 'a list has the name' }],
    ...(['', ': a list has the name'] as const),
  ],
  ['COMPLIANCE_APPROVED', [{ to: 'COMPLIANCE_APPROVED' }]],
  [
    'INFO_REQUESTED',
    [{ to: 'COMPLIANCE_VERIFICATION' }, { to: 'INFO_REQUESTED', description: 'send the invoice' }],
    ...(['', ': send the invoice'] as const),
  ],
  [
    'PG_PROCESSING',
    [{ to: 'COMPLIANCE_APPROVED' }, { to: 'PG_PROCESSING', subStatus: 'SENT_TO_BENEFICIARY_BANK' }],
    'SENT_TO_BENEFICIARY_BANK',
  ],
  [
    'PAID',
    [
      { to: 'COMPLIANCE_APPROVED' },
      { to: 'PG_PROCESSING' },
      { to: 'PAID', subStatus: 'DEEMED_PAID', bankReference: 'FT 7/1' },
    ],
    ...(['DEEMED_PAID', '', 'FT 7/1'] as const),
  ],
  [
    'RETURNED',
    [{ to: 'COMPLIANCE_APPROVED' }, { to: 'PG_PROCESSING' }, { to: 'RETURNED', description: 'account closed' }],
    ...(['', ': account closed'] as const),
  ],
  ['CANCELLED', [{ to: 'CANCELLED', description: 'by an operator' }], '', ': by an operator'],
  [
    'ERROR',
    [{ to: 'COMPLIANCE_APPROVED' }, { to: 'PG_PROCESSING' }, { to: 'ERROR', description: 'AC01 no such account' }],
    ...(['', ': AC01 no such account'] as const),
  ],
  ['USER_REJECTED', [{ to: 'USER_REJECTED' }]],
];

const READ_AT = STATUSES.map(([status, way, sub = '', more = '', reference = '']) => {
  return [status, way, sub, more, reference] as const;
});

async function walk(on: Payer, created: Fields, way: readonly Step[]): Promise<void> {
  const client = (await door.opened.store.clients.get(on.client.id))!;
  for (const { to, ...step } of way) {
    door.services.nowMs += MINUTE_MS;
    const { payment: before } = await door.operator('showPayment', { paymentId: String(created.payment_id) });
    const moved = await door.opened.store.payments.move(client, String(created.payment_id), {
      ...{ from: [before.status], to, actor: 'operator', ...step },
      // An approved payment continues by itself, wherever it came from.
      next: to === 'COMPLIANCE_APPROVED' ? 'now' : undefined,
      moves: to === 'PAID' ? 'paid' : to === 'RETURNED' ? 'return' : ENDS.includes(to) ? 'refund' : 'none',
    });
    expect(moved.kind).toBe('moved');
  }
}
const ENDS: readonly Status[] = ['COMPLIANCE_REJECTED', 'CANCELLED', 'USER_REJECTED'];

type Version = 1 | 2;

/** Of 1,000.10 in EUR, which nothing is converted for. */
async function create(on: Payer, version: Version, amount = 1000.1) {
  const more = { destination_amount: amount };
  const body = version === 1 ? payment('EUR', more) : payout('EUR', on.of.EUR!, more);
  const { status, body: created } = await on.client.post(version === 1 ? CREATE_PAYMENT : CREATE_PAYOUT, body);
  expect(status).toBe(200);
  return { created, reference: body.transaction_number };
}

/** Names and JSON types as the interface has them, in its order where it lists one. */
/** Without those that only a payment to a stored beneficiary, or with a verification, has. */
function written(fields: string): [name: string, type: string][] {
  const always = fields.split(' ').filter((field) => !/\?|^verification\./.test(field));
  return always.map((field) => field.split(':') as [string, string]);
}
const typed = (body: Fields, outer = ''): [string, string][] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [[outer + name, 'array']];
    if (typeof value === 'object') return typed(value as Fields, `${outer}${name}.`);
    return [[outer + name, typeof value]];
  });

describe.each([1, 2] as const)('created by version %i', (version) => {
  const path = version === 1 ? CREATE_PAYMENT : CREATE_PAYOUT;
  const { answers } = INTERFACE[`post ${path}`]!;

  test.each<[Status, bigint]>([
    ['IN_PROCESS', 5_000_00n],
    ['AWAITING_FUNDS', 1_00n],
  ])('%s', async (status, money) => {
    const on = await door.payer({ EUR: money });
    const { created, reference } = await create(on, version);
    expect(typed(created).sort()).toEqual(written(answers).sort());
    expect(created).toEqual({
      reference_number: reference,
      payment_id: expect.stringMatching(PAYMENT_ID),
      status,
      sub_status: '',
      status_description: TEXT[status],
      created_at: CREATED_AT,
      updated_at: CREATED_AT,
      currency: 'EUR',
      ...(version === 2 && { hold_fx_expires_on: '' }),
    });
  });

  test('destination_currency absent: currency is that of the country’s corridor', async () => {
    const on = await door.payer({ EUR: 5_000_00n });
    const created =
      version === 1
        ? await door.pay(on.client, 'EUR', { destination_currency: undefined })
        : await door.payOut(on.client, 'EUR', on.of.EUR!, { destination_currency: '' });
    expect(created.currency).toBe('EUR');
  });

  describe.each(READ_AT)('read at %s', (status, way, sub, more, bankReference) => {
    test.each(['id', 'reference'])('by %s', async (by) => {
      const on = await door.payer({ EUR: status === 'AWAITING_FUNDS' ? 1_00n : 5_000_00n });
      const { created, reference } = await create(on, version);
      await walk(on, created, way);
      const { answers: names, moreAnswered } = INTERFACE['get /api/v1/payments/id/{payment_id}']!;
      const key = by === 'id' ? created.payment_id : reference;
      const { status: code, body } = await on.client.get(`/api/v1/payments/${by}/${key}`);
      expect(code).toBe(200);
      expect(typed(body).sort()).toEqual(written(`${names} ${moreAnswered}`).sort());
      expect(body).toEqual({
        reference_number: reference,
        payment_id: created.payment_id,
        status,
        autobookfx_confirmation_id: '',
        sub_status: sub,
        status_description: TEXT[status] + more,
        created_at: CREATED_AT,
        updated_at: expect.stringMatching(`^2028-07-03T10:0${way.length}:\\d\\d\\.\\d{3}\\+00:00$`),
        payment_reference_number: bankReference,
        additional_info: { currency: 'EUR', amount: '1000.10' },
        fee_amount: '0.00',
        fee_currency: 'EUR',
        delivered_amount: '1000.10',
        delivered_currency: 'EUR',
        autobookfx_confirmation_ids: [],
      });
    });
  });
});

describe('autobookfx_confirmation_id', () => {
  test('is the first conversion’s, and all of them are listed in order', async () => {
    const on = await door.payer({ USD: 0n });
    await on.client.account('GBP', 10_00n, { sequence: 1 });
    await on.client.account('EUR', 5_000_00n, { sequence: 2 });
    const read = await door.read(on.client, await door.pay(on.client, 'USD', { destination_amount: 100 }));
    const ids = read.autobookfx_confirmation_ids as string[];
    expect(ids).toEqual([expect.stringMatching(BOOKING_ID), expect.stringMatching(BOOKING_ID)]);
    expect(read.autobookfx_confirmation_id).toBe(ids[0]);
  });
});

describe('fee and delivered amount', () => {
  const FEE = { fixed: '4.01' };
  const amounts = ({ fee_amount, fee_currency, delivered_amount, delivered_currency }: Fields) => [
    ...[fee_amount, fee_currency, delivered_amount, delivered_currency],
  ];

  test.each<[what: string, currency: string, more: Fields, fee: string, delivered: string]>([
    ['OUR', 'EUR', { destination_amount: 100 }, '4.01', '100.00'],
    ['OUR, deduction', 'EUR', { destination_amount: 100, payout_options: { deduct_amount: 1.5 } }, '5.51', '98.50'],
    ['BEN', 'EUR', { fee_payer: 'BEN', destination_amount: 100 }, '4.01', '95.99'],
    ['source amount', 'EUR', { source_amount: 100 }, '4.01', '95.99'],
    ['BEN, off the unit', 'IDR', { fee_payer: 'BEN', destination_amount: 20_000 }, '5.00', '19995.00'],
    ['no decimals', 'JPY', { destination_amount: 1_000 }, '5', '1000'],
  ])('%s in %s: what leaves the account is both together, also while it awaits funds', async (...row) => {
    const [, currency, more, fee, delivered] = row;
    const on = await door.payer({ [currency]: 1_000_000_00n, GBP: 0n }, FEE);
    const poor = await on.client.account(currency, 0n);
    const expected = [fee, currency, delivered, currency];
    const moved = await door.moved(on.client, async () => {
      const created = await door.payOut(on.client, currency, on.of[currency]!, more);
      expect(amounts(await door.read(on.client, created))).toEqual(expected);
    });
    expect(moved[`${currency}/${on.of[currency]}`]).toBe(
      -BigInt(delivered.replace('.', '')) - BigInt(fee.replace('.', '')),
    );
    const waits = await door.payOut(on.client, currency, poor, more);
    expect(waits.status).toBe('AWAITING_FUNDS');
    const listed = (await on.client.get('/api/v1/payments?status=AWAITING_FUNDS')).body as { data: Fields[] };
    expect(listed.data.map(amounts)).toEqual([expected]);
  });

  test('of a source amount that depends on a conversion are empty until it is made', async () => {
    const on = await door.payer({ USD: 0n }, FEE);
    await on.client.account('GBP', 0n, { sequence: 1 });
    const created = await door.payOut(on.client, 'EUR', on.of.USD!, { source_amount: 100 });
    expect(amounts(await door.read(on.client, created))).toEqual(['', 'EUR', '', 'EUR']);
    await door.operator('creditAccount', { accountNumber: String(on.of.USD), amount: '100.00' });
    // On a busy machine its price may be too old when the step arrives: it is planned again.
    const status = async () => {
      await door.work();
      return (await door.read(on.client, created)).status;
    };
    await expect.poll(status, { timeout: 60_000, interval: 100 }).not.toBe('AWAITING_FUNDS');
    const read = await door.read(on.client, created);
    const [id] = read.autobookfx_confirmation_ids as string[];
    const { body: booking } = await on.client.get(`/api/v1/bookfx/${id}`);
    const minor = (text: unknown) => BigInt(String(text).replace('.', ''));
    expect(read.fee_amount).toBe('4.01');
    expect(minor(read.delivered_amount) + 401n).toBe(minor(Number(booking.buy_amount).toFixed(2)));
  });

  test('stay what they were when the payment ends', async () => {
    const on = await door.payer({ EUR: 5_000_00n }, FEE);
    const created = await door.payOut(on.client, 'EUR', on.of.EUR!, { destination_amount: 100 });
    const { body } = await on.client.post(`/api/v1/payments/id/${created.payment_id}/cancel`, {});
    expect([body.status, ...amounts(body)]).toEqual(['USER_REJECTED', '4.01', 'EUR', '100.00', 'EUR']);
  });
});

describe('additional_info.amount has the digits of its currency', () => {
  test.each([
    ['JPY', 1000, '1000'],
    ['EUR', 1000, '1000.00'],
    ['EUR', 0.1, '0.10'],
    ['IDR', 10000, '10000.00'],
  ])('%s %d', async (currency, amount, expected) => {
    const on = await door.payer({ [currency]: 100_000_000n });
    const read = await door.read(on.client, await door.pay(on.client, currency, { destination_amount: amount }));
    expect(read.additional_info).toEqual({ currency, amount: expected });
  });
});

describe('answering what compliance asked', () => {
  test('goes back to compliance, and says so', async () => {
    const on = await door.payer({ EUR: 5_000_00n });
    const { created } = await create(on, 1);
    await walk(on, created, [
      { to: 'COMPLIANCE_VERIFICATION' },
      { to: 'INFO_REQUESTED', description: 'send the invoice' },
    ]);
    const path = `/api/v1/payments/id/${created.payment_id}/information`;
    const { status, body } = await on.client.post(path, { information: 'It is attached.\nInvoice 417' });
    expect([status, body.status, body.sub_status]).toEqual([200, 'COMPLIANCE_VERIFICATION', 'RFI_ANSWERED']);
    expect(body.status_description).toBe(TEXT.COMPLIANCE_VERIFICATION);
    const again = await on.client.post(path, { information: 'once more' });
    expect([again.status, again.body.code, again.body.payment_status]).toEqual([
      ...[400, 'WRONG_STATE', 'COMPLIANCE_VERIFICATION'],
    ]);
  });

  test.each<[unknown, string]>([
    [undefined, 'field_missing'],
    ['', 'incorrect_format'],
    ['   ', 'incorrect_format'],
    [7, 'incorrect_format'],
    ['a bell\u0007', 'incorrect_format'],
    ['x'.repeat(2_001), 'incorrect_value'],
  ])('%j: %s', async (information, code) => {
    const on = await door.payer({ EUR: 5_000_00n });
    const { created } = await create(on, 1);
    const { status, body } = await on.client.post(`/api/v1/payments/id/${created.payment_id}/information`, {
      information,
    });
    expect([status, body.errors]).toMatchObject([400, [{ field: 'information', code }]]);
  });
});

describe('a read', () => {
  test.each(['id', 'reference'])(
    'by %s: 404 for another client’s and for an unknown one, with the same body',
    async (by) => {
      const on = await door.payer({ EUR: 5_000_00n });
      const { client: stranger } = await door.payer({ EUR: 1_00n });
      const { created, reference } = await create(on, 1);
      const answers = [];
      for (const key of [
        by === 'id' ? created.payment_id : reference,
        'PAY00000000000000001',
        'x',
        '__proto__',
        '%00',
      ]) {
        const { status, body } = await stranger.get(`/api/v1/payments/${by}/${key}`);
        answers.push(JSON.stringify([status, body.code, body.detail]));
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('NOT_FOUND');
    },
  );

  test('by HEAD has no body, and no content-type is asked for', async () => {
    const on = await door.payer({ EUR: 5_000_00n });
    const { created } = await create(on, 1);
    const { headers } = await on.client.get(`/api/v1/payments/id/${created.payment_id}`, {
      'content-type': 'text/plain',
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-request-id']).toMatch(/./);
  });
});

test('lists a payment at its own time, although the clock advances during its creation', async () => {
  const on = await door.payer({ EUR: 5_000_00n });
  const { now } = door.services;
  Object.assign(door.services, { now: () => door.services.nowMs++ });
  const { created } = await create(on, 2);
  Object.assign(door.services, { now });
  const { data } = (await on.client.get('/api/v1/payments')).body as { data: Fields[] };
  expect(data).toEqual([await door.read(on.client, created)]);
  expect(data[0]!.created_at).toBe(created.created_at);
});
