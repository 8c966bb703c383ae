/** The operator's way to the operations: through `perform`, like everybody, on a store that runs already. */
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

export async function operator(config: Config): Promise<{ ask: Ask; close(): Promise<void> }> {
  const { services, stop } = await openServices(config, createLog('ratewire', 'silent'), { own: 'never' });
  const ask: Ask = async (name, input) => {
    const answer = await perform(services, name, undefined, input);
    if (isRefusal(answer)) throw new RefusedError(answer);
    return answer;
  };
  return { ask, close: stop };
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
