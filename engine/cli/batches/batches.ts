/** Batches of payments: list, show, cancel. */
import type { Command } from 'commander';
import { BATCH_STATUSES, reservedIn } from '../../domain/batches/batch.js';
import { formatMinor } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import { listCommand, type Run } from '../run.js';
import { isoTime, shownOne } from '../show.js';

type Batch = OutputOf<'findBatches'>['batches'][number]['batch'];

const HOW = `
A client fills a batch with up to 1,000 payments from one account over REST, validates, closes and funds it: the total is then reserved, and each
item becomes a payment by a step of its own. An item that cannot become one is refused, and its part of the reserve goes back. cancel ends what
has not become a payment; its payments are cancelled by \`ratewire payments cancel\`, each by itself.

Examples:
  ratewire batches list --status PROCESSING
  ratewire batches show acme BAT01K4M2V7Q8Z3X5YAB
  ratewire batches cancel acme BAT01K4M2V7Q8Z3X5YAB --reason "the client called"`;

const CANCEL = `
The rest of the reserve goes back to the account at once. One that is done is refused with WRONG_STATE.

Examples:
  ratewire batches cancel acme BAT01K4M2V7Q8Z3X5YAB --reason "the client called"`;

export function addBatchCommands(program: Command, run: Run): void {
  const batches = program.command('batches').description('batches of payments').addHelpText('after', HOW);
  listCommand(batches, 'batches', BATCH_STATUSES).action(({ client: clientId, status, limit }) =>
    run(async (ask) => {
      const found = (await ask('findBatches', { clientId, status, limit })).batches;
      return found.map(({ clientId: client, batch }) => ({ batch_id: batch.id, client, ...row(batch) }));
    }),
  );
  batches
    .command('show <client> <batch>')
    .description('a batch, with how many of its payments have each status')
    .action((clientId, batchId) =>
      run(async (ask) => {
        const { batch, payments } = await ask('showBatch', { clientId, batchId });
        const counts = payments.map(({ status, count }) => `${status} ${count}`);
        return shownOne({ ...whole(clientId, batch), payments: counts });
      }),
    );
  batches
    .command('cancel <client> <batch>')
    .description('cancel what has not become a payment')
    .requiredOption('--reason <text>', 'why; the journal keeps it')
    .addHelpText('after', CANCEL)
    .action((clientId, batchId, { reason }) =>
      run(async (ask) => {
        const { batch } = await ask('cancelBatchByOperator', { clientId, batchId, reason });
        return shownOne(whole(clientId, batch));
      }),
    );
}

function row(batch: Batch) {
  const { status, items, drawn, refused, total, currency, createdAtMs } = batch;
  const money = (minor: bigint | string) => formatMinor(BigInt(minor), currency);
  return {
    status,
    items,
    created: drawn,
    refused,
    total: money(total),
    reserved: money(reservedIn(batch)),
    currency,
    created_at: isoTime(createdAtMs),
  };
}

const whole = (client: string, batch: Batch) => ({
  batch_id: batch.id,
  client,
  ...row(batch),
  account: batch.account,
  description: batch.description,
  request_id: batch.requestId,
  version: batch.version,
  updated_at: isoTime(batch.updatedAtMs),
});
