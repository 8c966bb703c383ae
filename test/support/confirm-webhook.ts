/** Notes that the URL of an endpoint has answered its challenge, where a test has no receiver. */
import type { MoneyOf } from '../../engine/store/keys/redis-keys.js';
import type { Store } from '../../engine/store/store.js';

export async function confirmWebhook({ webhooks }: Pick<Store, 'webhooks'>, of: MoneyOf, id: string): Promise<void> {
  const webhook = await webhooks.read(of, id);
  if (webhook === undefined || !(await webhooks.endChallenge(of, webhook, [], undefined)))
    throw new Error(`${id} awaits no challenge`);
}
