/** Clients of one master of a cluster, and a booking load for them. */
import { setTimeout as pause } from 'node:timers/promises';
import { vi } from 'vitest';
import { isRefusal, type RefusalCode } from '../../../engine/domain/core/refusal.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { shardFor, shardTag, slotOf } from '../../../engine/store/keys/redis-keys.js';
import type { PaymentRig } from '../../payments/service/payment-rig.js';
import type { RedisCluster } from '../../support/redis-cluster.js';
import type { RedisProcess } from '../../support/redis-process.js';
import { SOON } from '../../support/until.js';

type Answer = RefusalCode | 'booked';

const MONEY = { EUR: '100000.00', USD: '100000.00' };
let made = 0;

/** A client whose money and record are on this master. */
export async function clientOf(on: PaymentRig, cluster: RedisCluster, node: RedisProcess): Promise<Client> {
  for (;;) {
    const id = `client${++made}`;
    const slots = [slotOf(shardTag(shardFor(id))), slotOf(`client:${id}`)];
    const owners = await Promise.all(slots.map((slot) => cluster.ownerOf(slot)));
    if (owners.every((owner) => owner === node)) return on.client(id, MONEY);
  }
}

export async function book(on: PaymentRig, client: Client, requestId: string): Promise<Answer> {
  const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1, description: 'a test', requestId };
  const answer = await perform(on.services, 'bookFxByCurrency', on.caller(client.id), command);
  return isRefusal(answer) ? answer.refusal : 'booked';
}

/** Books repeatedly, with several callers, until stopped; returns the answer to each request. */
export function booking(on: PaymentRig, client: Client, callers: number) {
  const answers = new Map<string, Answer>();
  let isOver = false;
  const call = async (caller: number): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const requestId = `${client.id}-${caller}-${i}`;
      const answer = await book(on, client, requestId);
      answers.set(requestId, answer);
      await pause(answer === 'booked' ? 2 : 50);
    }
  };
  const calls = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return {
    answers,
    /** Until so many more are answered. */
    async answered(more: number): Promise<void> {
      const before = answers.size;
      await vi.waitUntil(() => answers.size >= before + more, SOON);
    },
    stop: async () => {
      isOver = true;
      await calls;
    },
  };
}
