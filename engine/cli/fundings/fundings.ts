/** The commands of fundings, money that clients have announced: list, show and decide. */
import { type Command, Option } from 'commander';
import { FUNDING_STATUSES } from '../../domain/fundings/funding.js';
import { formatMinor } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import { listCommand, type Run } from '../run.js';
import { isoTime, type Shown, shownList, shownOne } from '../show.js';

type Found = OutputOf<'showFunding'>;

const HOW = `
A funding is what a client says is on its way. It is PENDING until you decide: complete it when the money is there, reject it when it is
not, cancel it when it is given up. A COMPLETED one can be reversed while the account still has the money; with --allow-receivable also later:
what the account does not have the client owes then, until you repay it (ratewire accounts repay). Saying the same again
changes nothing; another decision than the first is refused with WRONG_STATE. In a sandbox (FUNDING=sandbox) a funding is
decided by itself after SANDBOX_FUNDING_SECONDS, unless you are faster or its payment reference says MANUAL.

Examples:
  ratewire fundings list --status PENDING
  ratewire fundings list --client acme --json
  ratewire fundings show GLR01K4M2V7Q8Z3X5YAB
  ratewire fundings complete GLR01K4M2V7Q8Z3X5YAB
  ratewire fundings reject GLR01K4M2V7Q8Z3X5YAB --reason "no such transfer"
  ratewire fundings cancel GLR01K4M2V7Q8Z3X5YAB
  ratewire fundings reverse GLR01K4M2V7Q8Z3X5YAB --reason "recalled by the bank" --allow-receivable`;

const DECISIONS = [
  ['complete', 'completeFunding', 'the money is there: it goes to the account'],
  ['reject', 'rejectFunding', 'no such money has come'],
  ['cancel', 'cancelFunding', 'it is given up before its money came'],
  ['reverse', 'reverseFunding', 'the money of a COMPLETED one went back'],
] as const;

export function addFundingCommands(program: Command, run: Run): void {
  const fundings = program
    .command('fundings')
    .description('money that clients have announced')
    .addHelpText('after', HOW);
  listCommand(fundings, 'fundings', FUNDING_STATUSES).action(({ client: clientId, status, limit }) =>
    run(async (ask) => listed((await ask('findFundings', { clientId, status, limit })).fundings)),
  );
  fundings
    .command('show <gl>')
    .description('a funding in its current state, by its ledger reference')
    .action((fundingId) => run(async (ask) => shown(await ask('showFunding', { fundingId }))));
  for (const [name, operation, description] of DECISIONS) {
    const isNeeded = name === 'reject';
    const reason = new Option('--reason <text>', `why; the journal keeps it${isNeeded ? '' : ' (optional)'}`);
    const decision = fundings
      .command(`${name} <gl>`)
      .description(description)
      .addOption(reason.makeOptionMandatory(isNeeded))
      .action((fundingId, options) => run(async (ask) => shown(await ask(operation, { fundingId, ...options }))));
    if (name === 'reverse') decision.option('--allow-receivable', 'the client owes what its account does not have');
  }
}

function listed(found: readonly Found[]): Shown {
  return shownList(found, row, wholeRow);
}

function shown(found: Found): Shown {
  return shownOne(wholeRow(found));
}

function row({ clientId, funding }: Found) {
  return {
    gl_reference_number: funding.id,
    client: clientId,
    account_number: funding.account,
    amount: formatMinor(BigInt(funding.amount), funding.currency),
    currency: funding.currency,
    status: funding.status,
    payment_reference: funding.reference,
    created_at: isoTime(funding.createdAtMs),
  };
}

function wholeRow(found: Found): object {
  const { funding } = found;
  return {
    ...row(found),
    updated_at: isoTime(funding.updatedAtMs),
    updated_by: funding.actor,
    reason: funding.reason,
    receivable: formatMinor(BigInt(funding.receivable), funding.currency),
    instarem_deposit_account: funding.depositAccount,
    request_id: funding.requestId,
  };
}
