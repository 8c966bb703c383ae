/** Stored beneficiaries: list, show. */
import type { Command } from 'commander';
import { BENEFICIARY_STATUSES } from '../../domain/beneficiaries/beneficiary.js';
import { payeeNumber } from '../../domain/payments/payment-details.js';
import type { OutputOf } from '../../service/operations.js';
import { listCommand, type Run } from '../run.js';
import { isoTime, shownOne } from '../show.js';

type Beneficiary = OutputOf<'showBeneficiary'>['beneficiary'];

const HOW = `
A client stores whom it pays over REST, and its payments name them. Each change makes a version, and a payment shows the one that it used. Accounts and
cards are shown by their last four characters. What is stored is changed by the client alone.

Examples:
  ratewire beneficiaries list --client acme
  ratewire beneficiaries show acme BNF01K4M2V7Q8Z3X5YAB --at-version 2`;

export function addBeneficiaryCommands(program: Command, run: Run): void {
  const beneficiaries = program
    .command('beneficiaries')
    .description('whom clients have stored to be paid')
    .addHelpText('after', HOW);
  listCommand(beneficiaries, 'beneficiaries', BENEFICIARY_STATUSES).action(({ client: clientId, status, limit }) =>
    run(async (ask) => {
      const found = (await ask('findBeneficiaries', { clientId, status, limit })).beneficiaries;
      return found.map(({ clientId: client, beneficiary }) => row(client, beneficiary));
    }),
  );
  beneficiaries
    .command('show <client> <beneficiary>')
    .description('a beneficiary, or an earlier version of it')
    .option('--at-version <n>', 'as it was in this version', Number)
    .action((clientId, beneficiaryId, { atVersion: version }) =>
      run(async (ask) => {
        const { beneficiary } = await ask('showBeneficiary', { clientId, beneficiaryId, version });
        return shownOne(whole(clientId, beneficiary));
      }),
    );
}

const row = (client: string, one: Beneficiary) => ({
  ...{
    beneficiary_id: one.id,
    client,
    status: one.status,
    version: one.version,
    name: one.details.beneficiary.name ?? '',
  },
  country: one.country,
  currency: one.currency,
  method: one.method,
  account: accountText(one),
  updated_at: isoTime(one.updatedAtMs),
});

const whole = (client: string, one: Beneficiary) => ({
  ...row(client, one),
  routing: [1, 2, 3].flatMap((slot) => routingText(one, slot as 1 | 2 | 3)),
  by: one.by,
  created_at: isoTime(one.createdAtMs),
});

function routingText({ details }: Beneficiary, slot: 1 | 2 | 3): string[] {
  const [kind, value] = [details[`routingCodeType${slot}`], details[`routingCodeValue${slot}`]];
  return kind === undefined ? [] : [`${kind} ${value ?? ''}`];
}

/** The last four characters of where the money goes. */
function accountText({ method, details: { beneficiary } }: Beneficiary): string {
  const account = payeeNumber(method, beneficiary);
  return `${'*'.repeat(Math.max(0, account.length - 4))}${account.slice(-4)}`;
}
