/** The commands of payments: list, show and decide in the place of compliance and of the beneficiary's bank. */
import { type Command, Option } from 'commander';
import { formatMinor } from '../../domain/money/money.js';
import type { feeAndDelivered } from '../../domain/payments/payment-amounts.js';
import { PAYMENT_STATUSES } from '../../domain/payments/payment-status.js';
import type { OutputOf } from '../../service/operations.js';
import { movesJson, movesText } from '../audit/journal-rows.js';
import { listCommand, type Run } from '../run.js';
import { isoTime, Shown, showFields, shownList, shownOne, showRows } from '../show.js';

type Found = OutputOf<'findPayments'>['payments'][number];
type Step = OutputOf<'showPayment'>['history'][number];

const HOW = `
A payment goes from IN_PROCESS over compliance and the beneficiary's bank to PAID. Compliance and bank are a sandbox (COMPLIANCE=sandbox,
PAYOUT=sandbox) or you (COMPLIANCE=manual, PAYOUT=manual); what stays where it is waits for you in either case:
  COMPLIANCE_VERIFICATION   approve it, reject it, or request-information from the client
  INFO_REQUESTED            waits for the client's answer, which \`show\` then prints; or reject or cancel it
  PG_PROCESSING             with the bank: paid, or return
  ERROR                     retry it, or cancel it
  PAID                      return, when the money comes back late
What ends before it was sent gives everything back to its account; a return gives back what was delivered, and the fee stays. A decision
that its status does not allow is refused with WRONG_STATE, and changes nothing. Reasons are kept in the journal, and the client reads
those of reject, request-information, return and cancel.

Examples:
  ratewire payments list --status COMPLIANCE_VERIFICATION
  ratewire payments list --client acme --json
  ratewire payments show PAY01K4M2V7Q8Z3X5YAB
  ratewire payments approve PAY01K4M2V7Q8Z3X5YAB
  ratewire payments reject PAY01K4M2V7Q8Z3X5YAB --reason "beneficiary on a list"
  ratewire payments request-information PAY01K4M2V7Q8Z3X5YAB --what "invoice number"
  ratewire payments paid PAY01K4M2V7Q8Z3X5YAB --reference NEFT-2026-118
  ratewire payments return PAY01K4M2V7Q8Z3X5YAB --reason "account closed"
  ratewire payments retry PAY01K4M2V7Q8Z3X5YAB
  ratewire payments cancel PAY01K4M2V7Q8Z3X5YAB --reason "the client called"`;

const REASON = '--reason <text>';

const DECISIONS = [
  ['approve', 'approvePayment', 'compliance lets it pass', REASON, 'why; the journal keeps it (optional)', false],
  ['reject', 'rejectPayment', 'compliance does not let it pass: everything comes back', REASON, 'why', true],
  ['request-information', 'requestInformation', 'ask the client for something', '--what <text>', 'what', true],
  ['paid', 'confirmPaid', 'the bank has paid it', '--reference <text>', "the bank's own number of it", true],
  ['return', 'returnPayment', 'it came back from the bank: the fee stays', REASON, 'why', true],
  ['retry', 'retryPayment', 'send one in ERROR once more', REASON, 'why; the journal keeps it (optional)', false],
  ['cancel', 'cancelPaymentByOperator', 'give it up: everything comes back', REASON, 'why', true],
] as const;

export function addPaymentCommands(program: Command, run: Run): void {
  const payments = program.command('payments').description('payments to beneficiaries').addHelpText('after', HOW);
  listCommand(payments, 'payments', PAYMENT_STATUSES).action(({ client: clientId, status, limit }) =>
    run(async (ask) => {
      const found = (await ask('findPayments', { clientId, status, limit })).payments;
      return shownList(found, row, await wholeRows());
    }),
  );
  payments
    .command('show <id>')
    .description('a payment in its current state, by its id, with every step')
    .action((paymentId) =>
      run(async (ask) => {
        const { history, archivedSteps, ...found } = await ask('showPayment', { paymentId });
        const steps = history.map((step) => ({ ...stepRow(step), moves: movesJson(step) }));
        const rows = history.map((step) => ({ ...stepRow(step), moves: movesText(step) }));
        const before =
          archivedSteps > 0 ? `Before these: ${archivedSteps} steps that are in the journal archive.\n` : '';
        const whole = (await wholeRows())(found);
        const text = () => `${showFields(whole)}${before}${showRows(rows)}`;
        return new Shown({ ...whole, archived_steps: archivedSteps, history: steps }, text);
      }),
    );
  for (const [name, operation, description, flag, flagText, isNeeded] of DECISIONS) {
    const option = new Option(flag, flagText).makeOptionMandatory(isNeeded);
    payments
      .command(`${name} <id>`)
      .description(description)
      .addOption(option)
      .action((paymentId, options) =>
        run(async (ask) => {
          const found = await ask(operation, { paymentId, text: options[option.attributeName()] });
          return shownOne((await wholeRows())(found));
        }),
      );
  }
}

function row({ clientId, payment }: Found) {
  const { currency, given, sourceCurrency, status, subStatus } = payment;
  const asked = formatMinor(BigInt(given.minor), given.kind === 'source' ? sourceCurrency || currency : currency);
  return {
    payment_id: payment.id,
    client: clientId,
    status,
    sub_status: subStatus,
    amount: payment.amount === '' ? '' : formatMinor(BigInt(payment.amount), currency),
    currency,
    asked_for: given.kind === 'source' ? `${asked} ${sourceCurrency || currency} to leave` : `${asked} ${currency}`,
    country: payment.country,
    method: payment.method,
    created_at: isoTime(payment.createdAtMs),
  };
}

/** Loads the corridors, which help does not need. */
async function wholeRows(): Promise<(found: Found) => object> {
  const rules = await import('../../domain/payments/payment-amounts.js');
  return (found) => wholeRow(found, rules.feeAndDelivered(found.payment));
}

function wholeRow(found: Found, amounts: ReturnType<typeof feeAndDelivered>) {
  const { payment } = found;
  const money = (minor: bigint | undefined) => (minor === undefined ? '' : formatMinor(minor, payment.currency));
  return {
    ...row(found),
    transaction_number: payment.transactionNumber,
    request_id: payment.requestId,
    updated_at: isoTime(payment.updatedAtMs),
    description: payment.description,
    account_number: payment.account,
    delivered: money(amounts?.delivered),
    fee: money(amounts?.fee),
    fee_payer: payment.feePayer,
    hold_id: payment.holdId,
    conversions: payment.bookingIds,
    attempts: payment.attempts,
    bank_reference: payment.bankReference,
    remitter: payment.details.remitter.name ?? '',
    beneficiary: payment.details.beneficiary.name ?? '',
    purpose_code: payment.details.remitter.purposeCode ?? '',
  };
}

function stepRow({ atMs, from, to, sub, actor, reason, entry }: Step) {
  return { at: isoTime(atMs), from, to, sub_status: sub, by: actor, reason, journal_entry: entry };
}
