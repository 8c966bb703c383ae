/** The operator's way to the operations: through `perform`, as at the doors, on a store that runs already. Loaded when a command runs, not for its help. */
import { hostname, userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal, refuse, refuseField } from '../domain/core/refusal.js';
import { followRelay, type Rates } from '../roles/prices/feed-role.js';
import { messageLogDirectory, messageLogKey } from '../service/audit/message-log.js';
import { archiveKey } from '../service/audit/verify-archive.js';
import type { Services } from '../service/core/services.js';
import { perform } from '../service/perform.js';
import { recordKey } from '../service/record/read-record.js';
import { readConfig } from '../wiring/config.js';
import { createLog } from '../wiring/log.js';
import { openServices, type ServiceParts } from '../wiring/services.js';
import { type Ask, RefusedError } from './ask.js';

interface Operator {
  readonly ask: Ask;
  /** Takes the prices of the engine that runs the feed; waits some seconds for the first. */
  followRates(): Promise<void>;
  close(): Promise<void>;
}

/** How a command opens the store: whether one of the data directory is started for it. */
export type Opening = Pick<ServiceParts, 'own'>;

/** `named` is the operator's name where several people share an account; `progress` is called during long work. */
export async function operator(
  named?: string,
  progress?: Services['progress'],
  opening: Opening = { own: 'never' },
): Promise<Operator> {
  const config = readConfig();
  const log = createLog('ratewire', 'silent');
  const { services: opened, stop } = await openServices(config, log, { ...opening, program: 'ratewire' });
  const services = {
    ...opened,
    operator: operatorName(named ?? config.RATEWIRE_OPERATOR),
    ...(progress && { progress }),
  };
  const ask: Ask = async (name, input) => {
    const answer = await perform(services, name, undefined, input);
    if (!isRefusal(answer)) return answer;
    const isFull = answer.refusal === 'STORE_UNAVAILABLE' && answer.outcome === 'none' && opened.store.isFull();
    throw new RefusedError(isFull ? NO_MEMORY : answer);
  };
  let rates: Rates | undefined;
  return {
    ask,
    async followRates() {
      rates ??= await followRelay(services);
      await followPosition(opened);
    },
    async close() {
      await rates?.stop();
      await stop();
    },
  };
}

const POSITION_WAIT_MS = 2_000;
const POSITION_CHECK_MS = 50;

/** Where a rule of pricing needs the house's position: waits until the prices have it, or a while where no engine publishes it. */
async function followPosition({ store, pricing, limits }: Services): Promise<void> {
  if (!pricing.shifts.needsPosition) return;
  await store.riskFigures.follow(limits.base);
  for (let waited = 0; pricing.shifts.isWithoutPosition && waited < POSITION_WAIT_MS; waited += POSITION_CHECK_MS)
    await pause(POSITION_CHECK_MS);
}

/** The key under which this installation writes archives; undefined: it has no master key. */
export function configuredArchiveKey(): Buffer | undefined {
  const { MASTER_KEY, DATA_DIR } = readConfig();
  return archiveKey(MASTER_KEY, DATA_DIR);
}

/** Where the engine of this installation writes its message log, and the key of its chain; undefined: there is no master key. */
export function configuredMessageLog(): { readonly directory: string; readonly key: Buffer | undefined } {
  const { MASTER_KEY, DATA_DIR } = readConfig();
  return { directory: messageLogDirectory(DATA_DIR), key: messageLogKey(MASTER_KEY, DATA_DIR) };
}

/** The directory of the day record, RECORD where none is given, and the key of its chain. Throws RefusedError where neither names one. */
export function configuredRecord(given: string | undefined): {
  readonly directory: string;
  readonly key: Buffer | undefined;
} {
  const { RECORD, MASTER_KEY, DATA_DIR } = readConfig();
  const directory = given ?? RECORD;
  if (directory === undefined) throw new RefusedError(refuseField('directory', 'given, or RECORD set'));
  return { directory, key: recordKey(MASTER_KEY, DATA_DIR) };
}

/** The directory of the day record: what is given, else RECORD; undefined: neither. */
export const recordDirectory = (given: string | undefined): string | undefined => given ?? readConfig().RECORD;

/** The store has no memory left even for a change by an operator. */
const NO_MEMORY = refuse(
  'STORE_FULL',
  'The store has no memory left: raise its maxmemory, then give the command again',
);

/** As the audit log has it. */
export function operatorName(named: string | undefined): string {
  const account = `${osUser()}@${hostname()}`;
  return named === undefined ? account : `${named} (${account})`;
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.()}`;
  }
}
