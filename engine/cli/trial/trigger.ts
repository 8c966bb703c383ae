/** `ratewire trigger`: makes an event happen in a sandbox, by what a client itself would send: a real record, and a real outcome. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { RefusedError } from '../ask.js';
import { shownText } from '../unshown.js';
import { CREDENTIALS_HELP, type RestSession, restSession } from './rest-session.js';

/** The outcomes of a sandbox that a new record is led through; none: the creation alone makes the event. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
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
  'conversion.busted': ['busted'],
  'hold.locked': [],
};
const TYPES = Object.keys(OUTCOMES);

const HOW = `
Only where the ports are sandboxes, as after a plain npm start. It creates a payment, a funding, a conversion or a hold of the client, and leads
it to the outcome by POST /api/v1/sandbox: so the events before the one that is named happen too. ratewire listen shows them.

Types: ${TYPES.slice(0, 8).join(' ')}
       ${TYPES.slice(8, 16).join(' ')}
       ${TYPES.slice(16).join(' ')}

Examples:
  ratewire trigger payment.paid
  ratewire trigger conversion.overdue`;

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger <type>')
    .description('make an event happen, in a sandbox')
    .option('--credentials <file>', CREDENTIALS_HELP)
    .addHelpText('after', HOW)
    .action(async (type: string, { credentials }: { readonly credentials?: string }) => {
      const outcomes = OUTCOMES[type];
      if (outcomes === undefined)
        throw new RefusedError({
          refusal: 'VALIDATION_FAILED',
          text: `${shownText(type)} is none of: ${TYPES.join(' ')}`,
        });
      const session = restSession(credentials);
      const { path, id, body } = await create(session, type);
      let answer = body;
      for (const outcome of outcomes)
        answer = await session.ask('POST', `/api/v1/sandbox/${path}/${encodeURIComponent(id)}/${outcome}`, {});
      const status = String(answer.status ?? '');
      const { json = false } = program.opts<{ json?: boolean }>();
      const shown = { type, id, status };
      process.stdout.write(json ? `${JSON.stringify(shown)}\n` : `${shownText(`${type}  ${id}  ${status}`)}\n`);
    });
}

interface Created {
  readonly path: 'payments' | 'fundings' | 'conversions' | 'holds';
  readonly id: string;
  readonly body: Record<string, unknown>;
}

async function create(session: RestSession, type: string): Promise<Created> {
  const [kind] = type.split('.');
  if (kind === 'payment') {
    const amount = /awaiting_funds|expired/.test(type) ? UNFUNDED : 50_000;
    const body = await session.ask('POST', '/api/v1/payments/create', payment(amount));
    return { path: 'payments', id: String(body.payment_id), body };
  }
  if (kind === 'funding') {
    const { number, currency } = await anyAccount(session);
    const body = await session.ask('POST', '/api/v1/fund/create', {
      account_number: number,
      amount: 100,
      instarem_deposit_account: `DBS Bank-0012345678-${currency}`,
      payment_reference: 'ratewire trigger',
      request_id: randomUUID(),
    });
    return { path: 'fundings', id: String(body.gl_reference_number), body };
  }
  if (kind === 'hold') {
    const offer = await session.ask('GET', `/api/v1/lockFx/getFxRate?${EUR_USD}`);
    const body = await session.ask('POST', '/api/v1/lockFx/lockFxRate', { rate_signature: offer.rate_signature });
    return { path: 'holds', id: String(body.fx_hold_id), body };
  }
  const isOpen = /settled|overdue|cancelled/.test(type);
  const body = await session.ask('POST', '/api/v1/bookfx/currency/create', {
    sell_currency: 'EUR',
    buy_currency: 'USD',
    sell_amount: 100,
    description: 'ratewire trigger',
    request_id: randomUUID(),
    ...(isOpen && { book_fx_type: 'SCHEDULED1' }),
  });
  return { path: 'conversions', id: String(body.confirmation_id), body };
}

/** More than the demo client has. */
const UNFUNDED = 1_400_000;
const EUR_USD = 'source_currency=EUR&destination_currency=USD&sell_amount=100';

/** To a beneficiary whom the sandbox leaves alone: its outcome is asked for. */
const payment = (amount: number): object => ({
  request_id: randomUUID(),
  transaction_number: randomUUID(),
  destination_currency: 'INR',
  destination_amount: amount,
  statement_narrative: 'ratewire trigger',
  remit_purpose_code: 'IR01811',
  routing_code_type_1: 'IFSC',
  routing_code_value_1: 'HDFC0000001',
  remitter_name: 'Acme Trading Pte Ltd',
  remitter_account_type: 'Company',
  remitter_identification_type: 'Company Registration No',
  remitter_identification_number: '201812345K',
  remitter_country_code: 'SG',
  remitter_address: '1 Raffles Place',
  beneficiary_name: 'Sharma MANUAL',
  beneficiary_account_type: 'Company',
  beneficiary_country_code: 'IN',
  beneficiary_address: '12 Marine Drive',
  beneficiary_city: 'Mumbai',
  beneficiary_bank_name: 'HDFC Bank',
  beneficiary_account_number: '50100012345678',
});

async function anyAccount(session: RestSession): Promise<{ readonly number: number; readonly currency: string }> {
  const accounts: unknown = await session.ask('GET', '/api/v1/account');
  const [first] = Array.isArray(accounts) ? accounts : [];
  if (first === undefined)
    throw new RefusedError({ refusal: 'UNKNOWN_ACCOUNT', text: 'The client has no account: ratewire accounts open' });
  return { number: Number(first.account_number), currency: String(first.currency) };
}
