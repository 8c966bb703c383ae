/** How a command performs an operation. It loads no operation and no store: help needs neither. */
import type { Refusal } from '../domain/core/refusal.js';
import type { OperatorOperationName, OutputOf } from '../service/operations.js';

export type Ask = <Name extends OperatorOperationName>(name: Name, input: unknown) => Promise<OutputOf<Name>>;

/** A refusal, as the command line ends with it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor({ refusal, text, fields = [] }: Refusal) {
    const faults = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
    super(`${refusal}: ${faults || text}`);
  }
}

const PAGE = 1_000;

/** Or the sub-clients of a platform. */
export async function allClients(ask: Ask, platform?: string): Promise<OutputOf<'listClients'>['clients'][number][]> {
  const all: OutputOf<'listClients'>['clients'][number][] = [];
  for (;;) {
    const { clients } = await ask('listClients', { limit: PAGE, after: all.at(-1)?.id, platform });
    all.push(...clients);
    if (clients.length < PAGE) return all;
  }
}
