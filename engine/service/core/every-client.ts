import type { Client } from '../../store/access/clients.js';
import type { Services } from './services.js';

const AT_ONCE = 200;

/** All clients in order of their ids, read a page at a time. */
export async function* everyClient({ store }: Pick<Services, 'store'>): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await store.clients.list({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.id;
  }
}
