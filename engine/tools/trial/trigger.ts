/** `ratewire trigger`: makes an event happen in a sandbox, by what a client itself would send: a real record, and a real outcome. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { RefusedError } from '../../cli/ask.js';
import { shownText } from '../../cli/unshown.js';
import type { EventType } from '../../domain/events/events.js';
import { CREDENTIALS_HELP, type RestSession, restSession } from './rest-session.js';

/** By type, what a new record is led through: outcomes of the sandbox, or commands on its path; none: the creation alone makes the event. */
const STEPS = {
  'payment.created': [],
  'payment.awaiting_funds': [],
  'payment.compliance': ['compliance-verification'],
  'payment.info_requested': ['info-requested'],
  'payment.processing': ['processing'],
  'payment.paid': ['paid'],
  'payment.returned': ['returned'],
  'payment.rejected': ['rejected'],
  'payment.cancelled': ['cancelled'],
  'payment.expired': ['expired'],
  'payment.error': ['error'],
  'funding.created': [],
  'funding.completed': ['completed'],
  'funding.rejected': ['rejected'],
  'funding.cancelled': ['cancelled'],
  'funding.reversed': ['completed', 'reversed'],
  'conversion.booked': [],
  'conversion.settled': ['settled'],
  'conversion.overdue': ['overdue'],
  'conversion.cancelled': ['cancelled'],
  'conversion.changed': ['date'],
  'conversion.split': ['split'],
  'conversion.busted': ['busted'],
  'hold.locked': [],
  'hold.used': ['book'],
  'hold.expired': ['expire'],
  'hold.revoked': ['release'],
  'beneficiary.created': [],
  'beneficiary.disabled': ['disable'],
  'beneficiary.changed': ['disable', 'enable'],
  'verification.completed': [],
  'batch.created': [],
  'batch.validated': ['validate'],
  'batch.closed': ['validate', 'close'],
  'batch.processing': ['validate', 'close', 'fund'],
  'batch.done': ['validate', 'close', 'fund'],
  'batch.cancelled': ['cancel'],
} satisfies Partial<Record<EventType, readonly string[]>>;
/** What this command does not bring about, and what does. */
const INSTEAD: Readonly<Record<Exclude<EventType, keyof typeof STEPS>, string>> = {
  'hold.reserved': 'create a payout with payout_options.fx_hold_id from an account that does not cover it',
  'hold.freed': 'cancel the payout that has reserved the hold',
  'account.opened': 'the operator opens one, with ratewire accounts open <client> <currency>',
  'account.changed': 'the operator changes one, for example with ratewire accounts label <number> <label>',
  'receivable.repaid':
    'cancel a scheduled conversion whose charge the account does not have, and then credit the account',
  'key.rotated': 'the operator makes a key with ratewire keys issue <client>, and then ratewire keys rotate <key>',
  'key.revoked': 'the operator makes a key with ratewire keys issue <client>, and then ratewire keys revoke <key>',
  'limit.warning':
    'the operator sets a limit, with ratewire limits set <client> --nop <amount>; book 80 % of it or more',
  'webhook.created': 'register an endpoint, with POST /api/v1/webhooks',
  'webhook.changed': 'change an endpoint, with PATCH /api/v1/webhooks/{webhook_id}',
  'webhook.rotated': 'rotate the secret of an endpoint, with POST /api/v1/webhooks/{webhook_id}/rotate-secret',
  'webhook.removed': 'remove an endpoint, with DELETE /api/v1/webhooks/{webhook_id}',
  'webhook.disabled':
    'register a second endpoint that answers its challenge and then 410, and send it a test with ratewire webhooks test',
  test: 'it goes to one endpoint, by POST /api/v1/webhooks/{webhook_id}/test or ratewire webhooks test <client> <webhook>',
};
const TYPES = Object.keys(STEPS);
const TYPES_A_LINE = 6;
const LINES = Array.from({ length: Math.ceil(TYPES.length / TYPES_A_LINE) }, (_, line) =>
  TYPES.slice(line * TYPES_A_LINE, (line + 1) * TYPES_A_LINE).join(' '),
);

const HOW = `
Only where the ports are sandboxes, as after a plain npm start. It creates a payment, a funding, a conversion, a hold, a beneficiary, a verification
or a batch of the client, and leads it to the event by the paths of the REST API: so the events before the one that is named happen too.
hold.expired advances the client's own clock to the end of the hold. Of a type that a client cannot bring about it says what does.
ratewire listen shows the events.

Types: ${LINES.join('\n       ')}

Examples:
  ratewire trigger payment.paid
  ratewire trigger conversion.overdue
  ratewire trigger batch.done`;

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger <type>')
    .description('make an event happen, in a sandbox')
    .option('--credentials <file>', CREDENTIALS_HELP)
    .addHelpText('after', HOW)
    .action(async (type: string, { credentials }: { readonly credentials?: string }) => {
      const steps = own<readonly string[]>(STEPS, type);
      if (steps === undefined) {
        const instead = own(INSTEAD, type);
        const text = instead
          ? `${type} is not triggered: ${instead}`
          : `${shownText(type)} is none of: ${TYPES.join(' ')}`;
        throw new RefusedError({ refusal: 'VALIDATION_FAILED', text });
      }
      const session = restSession(credentials);
      // Where money is real nothing is created: the path is there where all ports are sandboxes.
      await session.ask('GET', '/api/v1/sandbox/clock');
      const { at, id, body } = await create(session, type);
      let answer = body;
      for (const step of steps) answer = await lead(session, `${at}/${encodeURIComponent(id)}`, id, step, body);
      const status = String(answer.status ?? answer.answer ?? '');
      const { json = false } = program.opts<{ json?: boolean }>();
      const shown = { type, id, status };
      process.stdout.write(json ? `${JSON.stringify(shown)}\n` : `${shownText(`${type}  ${id}  ${status}`)}\n`);
    });
}

const own = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

type Body = Record<string, unknown>;

interface Created {
  /** Where its steps are. */
  readonly at: string;
  readonly id: string;
  readonly body: Body;
}

async function create(session: RestSession, type: string): Promise<Created> {
  switch (type.split('.')[0]) {
    case 'payment': {
      const isUnfunded = /awaiting_funds|expired/.test(type);
      const body = await session.ask('POST', '/api/v1/payments/create', payment(isUnfunded ? UNFUNDED : {}));
      return { at: '/api/v1/sandbox/payments', id: String(body.payment_id), body };
    }
    case 'funding': {
      const { number, currency } = await anAccount(session);
      const body = await session.ask('POST', '/api/v1/fund/create', {
        account_number: number,
        amount: 100,
        instarem_deposit_account: `DBS Bank-0012345678-${currency}`,
        payment_reference: `${TEXT} MANUAL`,
        request_id: randomUUID(),
      });
      return { at: '/api/v1/sandbox/fundings', id: String(body.gl_reference_number), body };
    }
    case 'hold': {
      const offer = await session.ask('GET', `/api/v1/lockFx/getFxRate?${EUR_USD}`);
      const body = await session.ask('POST', '/api/v1/lockFx/lockFxRate', { rate_signature: offer.rate_signature });
      return { at: '/api/v1/lockFx/hold', id: String(body.fx_hold_id), body };
    }
    case 'beneficiary': {
      const beneficiary = { name: PAYEE, country_code: 'DE', account_number: newIban() };
      const command = { request_id: randomUUID(), destination_currency: 'EUR', beneficiary };
      const body = await session.ask('POST', '/api/v1/beneficiaries', command);
      return { at: '/api/v1/beneficiaries', id: String(body.beneficiary_id), body };
    }
    case 'verification': {
      const payee = { name: PAYEE, country: 'DE', currency: 'EUR', account_number: newIban() };
      const body = await session.ask('POST', '/api/v1/payee-verifications', payee);
      return { at: '', id: String(body.verification_id), body };
    }
    case 'batch': {
      const { number } = await anAccount(session, 'EUR');
      const command = { request_id: randomUUID(), source_account: number, description: TEXT };
      const body = await session.ask('POST', '/api/v1/batches', command);
      const id = String(body.batch_id);
      await session.ask('POST', `/api/v1/batches/${id}/items`, { items: [batchItem()] });
      return { at: '/api/v1/batches', id, body };
    }
  }
  const body = await book(session, {
    sell_amount: 100,
    ...(/settled|overdue|cancelled|split/.test(type) && { book_fx_type: 'SCHEDULED2' }),
    // Before a holiday of the dollar the next day is the day of spot too, and there is no other date.
    ...(type === 'conversion.changed' && { book_fx_type: 'SCHEDULED1', buy_currency: 'GBP' }),
  });
  const isChange = /changed|split/.test(type);
  return { at: isChange ? '/api/v1/bookfx' : '/api/v1/sandbox/conversions', id: String(body.confirmation_id), body };
}

const book = (session: RestSession, more: object): Promise<Body> =>
  session.ask('POST', '/api/v1/bookfx/currency/create', {
    sell_currency: 'EUR',
    buy_currency: 'USD',
    description: TEXT,
    request_id: randomUUID(),
    ...more,
  });

/** One step of a record that exists; returns what the record is then. */
async function lead(session: RestSession, at: string, id: string, step: string, created: Body): Promise<Body> {
  switch (step) {
    case 'book':
      await book(session, { sell_amount: created.sell_amount, fx_hold_id: id });
      return session.ask('GET', at);
    case 'expire':
      await session.ask('POST', '/api/v1/sandbox/clock', { until: secondBehind(created.hold_expiry_at) });
      return whenExpired(session, at);
    case 'release':
      return session.ask('POST', '/api/v1/lockFx/releaseFxRate', { fx_hold_id: id });
    case 'date':
    case 'split': {
      const { quote_id } =
        step === 'split'
          ? await session.ask('POST', `${at}/split/quote`, { sell_amounts: [60, 40] })
          : await quoteLaterDate(session, at, created);
      await session.ask('POST', `${at}/${step}`, { quote_id, request_id: randomUUID(), reason: TEXT });
      return session.ask('GET', at);
    }
  }
  const answer = await session.ask('POST', `${at}/${step}`, {});
  if (answer.valid === false)
    throw new RefusedError({ refusal: 'VALIDATION_FAILED', text: `${id}: ${JSON.stringify(answer.faults)}` });
  return answer;
}

/** The first good day behind the one that it has. */
async function quoteLaterDate(session: RestSession, at: string, created: Body): Promise<Body> {
  const settlesMs = Date.parse(String(created.settlement_date));
  for (let days = 1; ; days++) {
    const settlement_date = new Date(settlesMs + days * DAY_MS).toISOString().slice(0, 10);
    try {
      return await session.ask('POST', `${at}/date/quote`, { settlement_date });
    } catch (error) {
      const isNoGoodDay = error instanceof RefusedError && error.message.startsWith('BAD_SETTLEMENT_DATE');
      if (!isNoGoodDay || days > CLOSED_DAYS_MAX) throw error;
    }
  }
}

/** The engine expires what is due each second. */
async function whenExpired(session: RestSession, at: string): Promise<Body> {
  for (const lateMs = performance.now() + EXPIRES_WITHIN_MS; ; ) {
    const hold = await session.ask('GET', at);
    if (hold.status !== 'OPEN' || performance.now() > lateMs) return hold;
    await pause(POLL_MS);
  }
}

const EXPIRES_WITHIN_MS = 10_000;
const POLL_MS = 200;
const secondBehind = (time: unknown): string => new Date(Date.parse(String(time)) + 1_000).toISOString();

const DAY_MS = 86_400_000;
const CLOSED_DAYS_MAX = 10;
const TEXT = 'ratewire trigger';
/** More than the demo client has, in a currency of its own: later payments of the account wait behind it. */
const UNFUNDED = {
  destination_currency: 'CHF',
  destination_amount: 1_400_000,
  routing_code_type_1: 'SWIFT',
  routing_code_value_1: 'UBSWCHZH80A',
  beneficiary_country_code: 'CH',
  beneficiary_city: 'Basel',
  beneficiary_bank_name: 'UBS',
  beneficiary_account_number: 'CH9300762011623852957',
};
const EUR_USD = 'source_currency=EUR&destination_currency=USD&sell_amount=100';

/** To a beneficiary whom the sandbox leaves alone: its outcome is asked for. */
const payment = (more: object): object => ({
  request_id: randomUUID(),
  transaction_number: randomUUID(),
  destination_currency: 'INR',
  destination_amount: 50_000,
  statement_narrative: TEXT,
  remit_purpose_code: 'IR01811',
  routing_code_type_1: 'IFSC',
  routing_code_value_1: 'HDFC0000001',
  remitter_name: 'Acme Trading Pte Ltd',
  remitter_account_type: 'Company',
  remitter_identification_type: 'Company Registration No',
  remitter_identification_number: '201812345K',
  remitter_country_code: 'SG',
  remitter_address: '1 Raffles Place',
  remitter_city: 'Singapore',
  beneficiary_name: 'Sharma MANUAL',
  beneficiary_account_type: 'Company',
  beneficiary_country_code: 'IN',
  beneficiary_address: '12 Marine Drive',
  beneficiary_city: 'Mumbai',
  beneficiary_bank_name: 'HDFC Bank',
  beneficiary_account_number: '50100012345678',
  ...more,
});

const PAYEE = 'Anna MANUAL Schmidt';

/** An account that no beneficiary of the client has yet: the check digits follow from the rest. */
function newIban(): string {
  const account = `37040044${String(randomInt(10 ** 10)).padStart(10, '0')}`;
  return `DE${String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0')}${account}`;
}

const batchItem = (): object => ({
  item_id: 'item-1',
  transaction_number: randomUUID(),
  destination_currency: 'EUR',
  destination_amount: 10,
  fee_payer: 'OUR',
  statement_narrative: TEXT,
  remitter: { account_type: 'Company', purpose_code: 'IR01802' },
  beneficiary: { name: PAYEE, country_code: 'DE', account_number: newIban() },
});

/** The first, or the first in this currency. */
async function anAccount(
  session: RestSession,
  currency?: string,
): Promise<{ readonly number: number; readonly currency: string }> {
  const answer: unknown = await session.ask('GET', '/api/v1/account');
  const accounts = (Array.isArray(answer) ? answer : []) as Body[];
  const found = accounts.find((one) => currency === undefined || one.currency === currency);
  if (found === undefined)
    throw new RefusedError({
      refusal: 'UNKNOWN_ACCOUNT',
      text: `The client has no account${currency ? ` in ${currency}` : ''}: ratewire accounts open`,
    });
  return { number: Number(found.account_number), currency: String(found.currency) };
}
