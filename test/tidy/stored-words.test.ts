/**
 * Stored words stay the same in every release: each is listed here, so that a rename that reaches one fails, and each that
 * differs from the name in code is in the table of ARCHITECTURE.md.
 */
import { describe, expect, test } from 'vitest';
import { HOLD_STATUSES } from '../../engine/domain/conversions/booking.js';
import { FUNDING_STEPS } from '../../engine/domain/fundings/funding.js';
import { OPERATOR_OPERATIONS } from '../../engine/service/operations.js';
import { CHANNELS, KEYS } from '../../engine/store/connection/redis-rights.js';
import { filesEndingIn, read } from './tree.js';

const STORED = {
  'journal step': `adjust book-fx bust-fx cancel-batch cancel-funding cancel-fx close-out-fx complete-funding correct-fx cover-fx date-fx deposit draw-item fund fund-batch gain-fx
    overdue-fx payment refuse-item reject-funding repay reverse-funding settle-fx split-fx unwind-fx`,
  'outbox kind': 'amendment amendment-copy child child-copy drop-copy hold-expired hold-withdrawn report',
  'due entry': 'batch expire fund gain hold settle wake work',
  'hold status': 'expired open released reserved used withdrawn',
  'audit operation': `acceptClock activateClientWebhook adjustAccount adjustCover advanceClientClock advanceClock allowCompId allowKey approvePayment archiveJournal assignCompId bustBooking cancelBatchByOperator cancelBooking cancelPaymentByOperator
    cancelFunding changeAccount changeClient changeCompId changePorts completeFunding confirmPaid correctBooking createClient creditAccount decideConversion decideFunding decidePayment disableClient disableClientWebhook disputeCover
    haltClient haltHouse haltPair issueKey logOutSession openAccount provideDemoClient provisionBenchmarkClients reduceClient reduceHouse reducePair rejectFunding rejectPayment removeCompId removeCoverRule removeFee removeLimits removeMargin removePricing
    repayReceivable replayClientDeliveries requestInformation resetSession resolveCover resumeClient resumeHouse resumePair retirePreviousSecret retryPayment returnPayment reverseFunding revokeClientTokens revokeHold
    revokeKey rotateClientWebhookSecret rotateKey sendCover setCoverRule setFee setKeyRights setLimits setMargin setPricing setScheduledLimit testClientWebhook`,
  key: `account audit client client-comp-ids client-keys client-tokens clients clock comp-id due events-due events-max failed-attempts fix funding key lease limits
    margins master-key migration-guard payment permits ports position pricing relay risk room store token tokens trading-states work cover`,
  'key of a client': `accounts adjustment all-holds archived balances batch batch-requests beneficiary bookings client clock deliveries deposit dont-know drop-copies due events exposure fees funding gains hold index journal key-events open-batches open-holds
    open-deliveries overdue overdue-into payees payment position quote-request receipt receivables replays scheduled sub-clients transaction waiting webhook webhooks woken work cover cover-fence covers open-covers`,
  channel:
    'clock engines events fix journal lease limits margins pricing relay risk room tokens trading-states work cover',
};
type Kind = keyof typeof STORED;

const allIn = (pattern: RegExp, ...files: readonly string[]): string[] =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].flatMap(([, ...words]) => words.filter(Boolean)));

const LUA = filesEndingIn('.lua');
const STEPS = LUA.map((file) => file.replace(/^.*\/|\.lua$/g, ''));

const namesOf = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => pattern.replace(/^\{(s\?\?|\*)\}:/, '').match(/[a-z-]+/)?.[0] ?? []);

/** The words as the code writes them. */
const WRITTEN: Readonly<Record<Kind, readonly string[]>> = {
  'journal step': [
    ...allIn(/write_journal\(journal, '([a-z-]+)'/g, ...LUA),
    ...allIn(/local step = \w+ and '([a-z-]+)' or \w+ and '([a-z-]+)' or '([a-z-]+)'/g, ...LUA),
    ...allIn(/write_journal\(journal, \w+ == '[a-z]*' and '([a-z-]+)' or '([a-z-]+)'/g, ...LUA),
    ...Object.values(FUNDING_STEPS),
  ],
  'outbox kind': allIn(/(?:add_to_outbox|send_copies)\(.*?, '([a-z-]+)', \w/g, ...LUA),
  'due entry': allIn(/if \(kind === '([a-z]+)' &&/g, 'engine/store/ledger/due-queue.ts'),
  'hold status': HOLD_STATUSES,
  'audit operation': [
    ...Object.entries(OPERATOR_OPERATIONS).flatMap(([name, operation]) =>
      'audited' in operation && operation.audited ? [name] : [],
    ),
    ...allIn(/operation: '(\w+)'/g, 'engine/wiring/demo-client.ts'),
  ],
  key: namesOf(KEYS),
  'key of a client': allIn(/\$\{(?:own|tag)\}:([a-z-]+)/g, 'engine/store/keys/redis-keys.ts'),
  channel: namesOf(CHANNELS),
};

const textOf = (...folders: readonly string[]): string =>
  filesEndingIn('.ts')
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .map(read)
    .join('\n');
const CODE = textOf('engine', 'rest');
const STORE_NAMES = textOf('engine/store').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, ' ');

function isNameInCode(kind: Kind, word: string): boolean {
  if (kind === 'hold status') return true;
  if (kind === 'audit operation') return word in OPERATOR_OPERATIONS;
  if (kind === 'key' || kind === 'key of a client' || kind === 'channel')
    return word.split('-').every((part) => new RegExp(part, 'i').test(STORE_NAMES));
  return STEPS.includes(word);
}

const ROWS = read('ARCHITECTURE.md')
  .split('\n## Stored words\n')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => /^\| [a-zA-Z].*`/.test(line))
  .map((line) => {
    const [kind = '', words = '', file = '', names = ''] = line.slice(2, -2).split(' | ');
    const inQuotes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
    return { kind, words: inQuotes(words), file: inQuotes(file)[0]!, names: inQuotes(names) };
  });

describe.each(Object.keys(STORED) as Kind[])('every %s', (kind) => {
  const words = STORED[kind].split(/\s+/).sort();
  const listed = ROWS.filter((row) => row.kind === kind).flatMap((row) => row.words);

  test('keeps its word', () => expect([...new Set(WRITTEN[kind])].sort()).toEqual(words));

  test('of the table is written', () => expect(listed.filter((word) => !words.includes(word))).toEqual([]));

  test('that differs from the name in code is in the table', () => {
    expect(words.filter((word) => !isNameInCode(kind, word) && !listed.includes(word))).toEqual([]);
  });
});

test.each(ROWS)('the row of $kind $words names a file with the word, and names in code', ({ words, file, names }) => {
  const text = read(file);
  expect(words.filter((word) => !text.includes(word))).toEqual([]);
  expect(names.filter((name) => !STEPS.includes(name) && !CODE.includes(name))).toEqual([]);
});
