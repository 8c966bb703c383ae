/** How a reconciliation reads what it compares: page by page, with a pause after each. */
import type { Client } from '../../store/access/clients.js';
import type { ListName } from '../../store/keys/redis-keys.js';
import type { Services } from '../core/services.js';

/** How much is read at once, and the pause between two reads. */
export interface Pace {
  readonly page: number;
  pause(): Promise<void>;
}

/** The ids of all that a list of the client has, newest first. */
export async function* listPages(
  { lists }: Services['store'],
  client: Client,
  list: ListName,
  pace: Pace,
): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined; ; ) {
    const page = await lists.page(client, list, {}, after, pace.page);
    yield page.map(({ id }) => id);
    await pace.pause();
    if (page.length < pace.page) return;
    after = page.at(-1)!.place;
  }
}
