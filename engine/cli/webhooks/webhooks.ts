/** Webhook endpoints of clients, and what came of their deliveries. */
import { type Command, Option } from 'commander';
import { type Attempt, DELIVERY_STATUSES } from '../../domain/webhooks/webhook.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime, shownOne } from '../show.js';

const HOW = `
A client registers its endpoints over REST (docs/webhooks.md). One is PENDING until its URL has answered a challenge. An endpoint that answers 410,
or fails for five days, is disabled; once it is active again it continues where it was, as far as events are kept. One that you disable is
activated by you alone.

Examples:
  ratewire webhooks list acme
  ratewire webhooks show acme WHK01K4M2V7Q8Z3X5YAB
  ratewire webhooks deliveries acme WHK01K4M2V7Q8Z3X5YAB --status FAILED
  ratewire webhooks replay acme WHK01K4M2V7Q8Z3X5YAB --from-sequence 40 --to-sequence 42
  ratewire webhooks test acme WHK01K4M2V7Q8Z3X5YAB
  ratewire webhooks disable acme WHK01K4M2V7Q8Z3X5YAB
  ratewire webhooks activate acme WHK01K4M2V7Q8Z3X5YAB`;

const REPLAY = `
Name one event, a range of sequences, or a range of times. An event has the same id and body as before. At most 1,000 events at once: complete is
false where there are more.

Examples:
  ratewire webhooks replay acme WHK01K4M2V7Q8Z3X5YAB --event EVT01K4M2V7Q8Z3X5YABC
  ratewire webhooks replay acme WHK01K4M2V7Q8Z3X5YAB --from 2026-11-20T08:00:00Z --to 2026-11-20T09:00:00Z`;

const ROTATE = `
The new secret is printed once. For 24 hours each delivery has two signatures, by the new secret and by the one before.

Examples:
  ratewire webhooks rotate-secret acme WHK01K4M2V7Q8Z3X5YAB`;

export function addWebhookCommands(program: Command, run: Run): void {
  const webhooks = program
    .command('webhooks')
    .description('endpoints that events of clients are sent to')
    .addHelpText('after', HOW);
  webhooks
    .command('list <client>')
    .description("a client's endpoints")
    .action((clientId) => run(async (ask) => (await ask('listClientWebhooks', { clientId })).webhooks.map(row)));
  webhooks
    .command('show <client> <webhook>')
    .description('one endpoint with all that is known of it')
    .action((clientId, webhookId) =>
      run(async (ask) => shownOne(wholeRow(await ask('showClientWebhook', { clientId, webhookId })))),
    );
  webhooks
    .command('deliveries <client> <webhook>')
    .description('its deliveries, the newest event first')
    .addOption(new Option('--status <status>', 'in this status alone').choices(DELIVERY_STATUSES))
    .option('--limit <n>', 'how many, 1 to 1000', Number, 50)
    .action((clientId, webhookId, { status, limit }) =>
      run(async (ask) => {
        const { deliveries } = await ask('listClientDeliveries', { clientId, webhookId, status, limit });
        return deliveries.map(deliveryRow);
      }),
    );
  webhooks
    .command('replay <client> <webhook>')
    .description('deliver events again')
    .option('--event <id>', 'this event, whatever its type')
    .option('--from-sequence <n>', 'events of this sequence or behind it', Number)
    .option('--to-sequence <n>', 'events up to this sequence', Number)
    .option('--from <time>', 'events of this time or later')
    .option('--to <time>', 'events of this time or before')
    .addHelpText('after', REPLAY)
    .action((clientId, webhookId, { event: eventId, ...range }) =>
      run(async (ask) => {
        const answer = await ask('replayClientDeliveries', { clientId, webhookId, eventId, ...range });
        return { replayed: answer.replayed, last_sequence: answer.lastSequence, complete: answer.isComplete };
      }),
    );
  webhooks
    .command('test <client> <webhook>')
    .description('send it a test event')
    .action((clientId, webhookId) =>
      run(async (ask) => {
        const { eventId, sequence } = await ask('testClientWebhook', { clientId, webhookId });
        return { event: eventId, sequence };
      }),
    );
  webhooks
    .command('disable <client> <webhook>')
    .description('send it nothing more')
    .action((clientId, webhookId) =>
      run(async (ask) => row(await ask('disableClientWebhook', { clientId, webhookId }))),
    );
  webhooks
    .command('activate <client> <webhook>')
    .description('continue where it was, once its URL has answered a challenge')
    .action((clientId, webhookId) =>
      run(async (ask) => row(await ask('activateClientWebhook', { clientId, webhookId }))),
    );
  webhooks
    .command('rotate-secret <client> <webhook>')
    .description('a new secret; the one before signs for another day')
    .addHelpText('after', ROTATE)
    .action((clientId, webhookId) =>
      run(async (ask) => {
        const { secret, previousUntilMs } = await ask('rotateClientWebhookSecret', { clientId, webhookId });
        return { webhook: webhookId, secret, previous_until: isoTime(previousUntilMs) };
      }),
    );
}

type Shown = OutputOf<'showClientWebhook'>;

const row = ({ id, name, url, types, inactive, failingSinceMs }: Shown): object => ({
  webhook: id,
  name,
  url,
  types: types.join(' '),
  active: inactive ?? 'yes',
  failing_since: failingSinceMs === undefined ? '' : isoTime(failingSinceMs),
});

const wholeRow = (webhook: Shown): object => ({
  ...row(webhook),
  signature: webhook.signature,
  public_key: webhook.publicKey,
  challenge_until: webhook.challenge ? isoTime(webhook.challenge.untilMs) : '',
  last_challenge: attemptText(webhook.challenge?.attempts.at(-1)),
  last_sequence: webhook.cursor,
  missed_events: webhook.missed,
  version: webhook.version,
  created_at: isoTime(webhook.createdAtMs),
  updated_at: isoTime(webhook.updatedAtMs),
});

const attemptText = (attempt: Attempt | undefined): string =>
  attempt ? `${isoTime(attempt.atMs)} ${attempt.httpStatus || ''} ${attempt.reason}`.trim() : '';

function deliveryRow({ delivery, eventId, dueMs }: OutputOf<'listClientDeliveries'>['deliveries'][number]): object {
  const { sequence, type, resource, status, attempts } = delivery;
  return {
    sequence,
    event: eventId,
    type,
    resource,
    status,
    attempts: attempts.length,
    last: attemptText(attempts.at(-1)),
    next: dueMs === undefined ? '' : isoTime(dueMs),
  };
}
