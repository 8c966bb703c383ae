/** The operator's way to the operations: through `perform`, like everybody, on a store that runs already. */
import { hostname, userInfo } from 'node:os';
import type { Config } from '../config.js';
import { formatMargin } from '../domain/margin.js';
import { isRefusal, type Refusal } from '../domain/refusal.js';
import { createLog } from '../log.js';
import type { OperatorOperationName, OutputOf } from '../service/operations.js';
import { perform } from '../service/perform.js';
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

/** `named` is who sits there, where several people share an account. */
export async function operator(config: Config, named?: string): Promise<{ ask: Ask; close(): Promise<void> }> {
  const { services: opened, stop } = await openServices(config, createLog('ratewire', 'silent'), { own: 'never' });
  const services = { ...opened, operator: operatorName(named ?? config.RATEWIRE_OPERATOR) };
  const ask: Ask = async (name, input) => {
    const answer = await perform(services, name, undefined, input);
    if (isRefusal(answer)) throw new RefusedError(answer);
    return answer;
  };
  return { ask, close: stop };
}

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

export function marginRow(rule: OutputOf<'setMargin'>): object {
  return { client: rule.clientId, pair: rule.pair, type: rule.type, margin_percent: formatMargin(rule.marginPpm) };
}
