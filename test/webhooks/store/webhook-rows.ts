/** The steps of webhooks for key-types.test.ts: the commands before, the keys and the arguments of a call that writes. */
import type { Step } from '../../../engine/store/connection/scripts.js';
import {
  END_ATTEMPT,
  PLAN_DELIVERIES,
  READ_EVENTS_DUE,
  REPLAY_DELIVERIES,
  REST_CLIENT_EVENTS,
  TAKE_CLIENT_EVENTS,
} from '../../../engine/store/webhooks/deliveries.js';
import {
  CHANGE_WEBHOOK,
  CREATE_WEBHOOK,
  END_CHALLENGE,
  REMOVE_WEBHOOK,
  TEST_WEBHOOK,
} from '../../../engine/store/webhooks/webhooks.js';

/** As key-types.test.ts makes a row. */
type MakeRow<Row> = <Keys, Args>(
  step: Step<Keys, Args>,
  before: readonly (readonly string[])[],
  keys: NoInfer<Keys>,
  args: NoInfer<Args>,
) => Row;

const OWN = '{s00}:client:hook:';
const [webhooks, webhook, deliveries, open] = [
  `${OWN}webhooks`,
  `${OWN}webhook:1`,
  `${OWN}deliveries:1`,
  `${OWN}open:1`,
];
const events = `${OWN}events`;
const due = '{s00}:events-due';
const KNOWN = ['HSET', webhook, 'version', '3', 'cursor', '7', 'inactive', '', 'challenge', '', 'failingSince', '5'];
const HAS_EVENTS = ['XADD', events, '1-7', 'e', 'account.opened|1|5|'];
const DELIVERY = ['ZADD', deliveries, '7', '7|PENDING|account.opened|1|0|'];
const OPEN = ['ZADD', open, '5', '7|1'];
const ATTEMPT = { id: 'WHK1', sequence: 7, resource: '1', before: DELIVERY[3]!, failingMaxMs: 1_000 };

export const webhookRows = <Row>(row: MakeRow<Row>): readonly Row[] => [
  row(
    CREATE_WEBHOOK,
    [HAS_EVENTS],
    { webhooks, webhook, events },
    { id: 'WHK1', client: 'hook', most: 2, challengeMs: 5, fields: ['name', 'x'] },
  ),
  row(
    CHANGE_WEBHOOK,
    [KNOWN],
    { webhook },
    {
      id: 'WHK1',
      client: 'hook',
      type: 'webhook.changed',
      version: 3,
      url: 'https://b',
      challengeMs: 5,
      fields: ['name', 'y'],
    },
  ),
  row(
    END_CHALLENGE,
    [['HSET', webhook, 'inactive', 'PENDING', 'challenge', '9|5|0|']],
    { webhook },
    { client: 'hook', before: '9|5|0|', untilMs: 9, tries: 1, attempts: '' },
  ),
  row(
    REMOVE_WEBHOOK,
    [KNOWN, DELIVERY, OPEN, ['ZADD', webhooks, '0', 'WHK1']],
    { webhooks, webhook, deliveries, open },
    { id: 'WHK1' },
  ),
  row(TEST_WEBHOOK, [KNOWN, HAS_EVENTS], { webhook, events, deliveries, open }, { id: 'WHK1', openMax: 5, keptMax: 5 }),
  row(
    PLAN_DELIVERIES,
    [KNOWN, ['ZADD', deliveries, '6', '6|SUCCEEDED|account.opened|1|1|']],
    { webhook, deliveries, open },
    { from: '7', to: 8, missed: 1, keptMax: 1, planned: ['8', '8|PENDING|account.opened|1|0|', '1'] },
  ),
  row(
    END_ATTEMPT,
    [KNOWN, DELIVERY, OPEN],
    { webhook, deliveries, open },
    { ...ATTEMPT, after: '7|SUCCEEDED|account.opened|1|1|', outcome: 'ok' },
  ),
  row(
    END_ATTEMPT,
    [KNOWN, DELIVERY, OPEN, HAS_EVENTS],
    { webhook, deliveries, open },
    { ...ATTEMPT, after: '7|PENDING|account.opened|1|1|', outcome: 'gone', delayMs: 5_000 },
  ),
  row(
    REPLAY_DELIVERIES,
    [KNOWN, ['ZADD', deliveries, '7', '7|FAILED|account.opened|1|10|']],
    { webhook, deliveries, open, used: `${OWN}replays` },
    { client: 'hook', openMax: 1, budget: 1, budgetMs: 60_000, replayed: ['7', DELIVERY[3]!, '1'] },
  ),
  row(READ_EVENTS_DUE, [['ZADD', due, '5', 'hook']], { due }, { most: 5, aheadMs: 0, others: [] }),
  row(TAKE_CLIENT_EVENTS, [['ZADD', due, '5', 'hook']], { due }, { client: 'hook', takenMs: 1_000 }),
  row(REST_CLIENT_EVENTS, [['ZADD', due, '5', 'hook']], { due }, { client: 'hook', takenUntil: 5 }),
];
