/** The operator's way to the operations: through `perform`, like everybody, on a store that runs already. */
import { hostname, userInfo } from 'node:os';
import type { Config } from '../config.js';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.js';
import { followRelay, type Rates } from '../feed-role.js';
import { createLog } from '../log.js';
import type { OperatorOperationName, OutputOf } from '../service/operations.js';
import { perform } from '../service/perform.js';
import type { Services } from '../service/services.js';
import { openServices } from '../services.js';

export type Ask = <Name extends OperatorOperationName>(name: Name, input: unknown) => Promise<OutputOf<Name>>;

/** A refusal, as the command line ends with it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor({ refusal, text, fields = [] }: Refusal) {
    const faults = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
    super(`${refusal}: ${faults || text}`);
  }
}

interface Operator {
  readonly ask: Ask;
  /** Takes the prices of the engine that runs the feed; waits some seconds for the first. */
  followRates(): Promise<void>;
  close(): Promise<void>;
}

/** `named` is who sits there, where several people share an account; `progress` is told while long work goes on. */
export async function operator(config: Config, named?: string, progress?: Services['progress']): Promise<Operator> {
  const { services: opened, stop } = await openServices(config, createLog('ratewire', 'silent'), { own: 'never' });
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
    },
    async close() {
      await rates?.stop();
      await stop();
    },
  };
}

/** Not even a change by an operator finds room. */
const NO_MEMORY = refuse(
  'STORE_FULL',
  'The store has no memory left: raise its maxmemory, then give the command again',
);

/** As the audit log has it. */
function operatorName(named: string | undefined): string {
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

const PAGE = 1_000;

export async function allClients(ask: Ask): Promise<OutputOf<'listClients'>['clients'][number][]> {
  const all: OutputOf<'listClients'>['clients'][number][] = [];
  for (;;) {
    const { clients } = await ask('listClients', { limit: PAGE, after: all.at(-1)?.id });
    all.push(...clients);
    if (clients.length < PAGE) return all;
  }
}
