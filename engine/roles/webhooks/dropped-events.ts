/** Events that are dropped before a delivery of them was planned. */
import type { Webhook } from '../../domain/webhooks/webhook.js';
import type { Client } from '../../store/access/clients.js';
import type { DeliveryContext } from './client-deliveries.js';

/** Of an endpoint that plans nothing, counts the events that are dropped meanwhile: the endpoint as it is then. */
export async function countDropped(
  { services, counts }: DeliveryContext,
  client: Client,
  webhook: Webhook,
): Promise<Webhook> {
  const { deliveries, events } = services.store;
  const cursor = ((await events.range(client))?.oldest ?? 0) - 1;
  const missed = cursor - webhook.cursor;
  if (missed <= 0 || !(await deliveries.plan(client, webhook, cursor, missed, []))) return webhook;
  counts.missed += missed;
  return { ...webhook, cursor };
}
