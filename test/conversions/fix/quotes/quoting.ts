/** QuoteRequest(R) as a desk writes it, and what the store holds of the answer. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Dictionary, MessageView, validate } from 'node-quickfix-ts';
import { expect } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../../engine/domain/core/rights.js';
import { perform } from '../../../../engine/service/perform.js';
import type { HeldRate } from '../../../../engine/store/conversions/holds.js';
import type { ClientOf, Rig } from '../../../fix/rig.js';
import type { Fields, Received, TestDesk } from '../../../support/desk.js';

type Changes = Readonly<Record<number, string | number | undefined>>;

const IN_THE_GROUP = [
  55, 460, 167, 537, 54, 854, 38, 152, 516, 63, 64, 193, 192, 15, 1, 555, 600, 735, 695, 40, 62, 126, 60, 44, 640,
];
const BEHIND_IT = [20001, 20005, 20007, 20008, 20018];

/** A request to buy 250,000 euros for dollars, changed as `changes` says; undefined leaves a field out. */
export function quoteRequest(id: string, token: string | undefined, changes: Changes = {}): Fields {
  const values: Changes = { 55: 'EUR/USD', 54: 1, 38: 250_000, 15: 'EUR', 20001: token, ...changes };
  const fields = (tags: readonly number[]) =>
    tags.flatMap((tag) => (values[tag] === undefined ? [] : [[tag, values[tag]] as const]));
  return [[131, id], [146, values[146] ?? 1], ...fields(IN_THE_GROUP), ...fields(BEHIND_IT)];
}

/** Asks, and waits for what answers this request: a Quote(S), a QuoteRequestReject(AG), or how its hold has ended (AI). */
export function quote(
  desk: TestDesk,
  id: string,
  token: string | undefined,
  changes: Changes = {},
  more: Fields = [],
): Promise<Received> {
  desk.send('R', quoteRequest(id, token, changes), { more });
  return desk.next(['S', 'AG', 'AI'], (message) => message.get(131) === id);
}

/** Violations of the dictionary in received messages: a standard field is allowed only where FIX 4.4 has it. */
export function faultsOf(desk: TestDesk): string[] {
  return desk.received.flatMap(({ text }) => {
    const bytes = Buffer.from(text.replaceAll('|', '\x01'), 'latin1');
    const view = new MessageView();
    const fault = view.index(bytes, 0, bytes.length) ? validate(view, dictionary, { userTags: 'strict' }) : 'garbled';
    return fault === undefined ? [] : [`${JSON.stringify(fault)} in ${text}`];
  });
}

const DICTIONARY = fileURLToPath(new URL('../../../../fix-config/FIX44-ratewire.xml', import.meta.url));
const dictionary = Dictionary.parse(readFileSync(DICTIONARY, 'utf8'));

/** The holds that a desk has open. */
export async function openHolds({ services }: Rig, of: ClientOf): Promise<HeldRate[]> {
  const { store } = services;
  const client = (await store.clients.get(of.id))!;
  const ids = await store.holds.openOf(client, of.compId);
  return Promise.all(ids.map(async (id) => (await store.holds.read(client, id))!));
}

/** Euros and dollars to deal with. */
export async function fund({ services }: Rig, of: ClientOf): Promise<void> {
  for (const currency of ['EUR', 'USD']) {
    const opened = await perform(services, 'openAccount', undefined, { clientId: of.id, currency });
    if (isRefusal(opened)) throw new Error(opened.text);
    const credit = { accountNumber: opened.number, amount: '1000000' };
    expect(await perform(services, 'creditAccount', undefined, credit)).not.toHaveProperty('refusal');
  }
}

/** Books a hold for 250,000 euros as REST does: the confirmation id, or the code of the refusal. */
export async function bookOverRest({ services }: Rig, of: ClientOf, holdId: string): Promise<string> {
  const caller = { clientId: of.id, keyId: of.clientKey, rights: new Set(RIGHTS) };
  const booked = await perform(services, 'bookFxByCurrency', caller, {
    requestId: `R${++requests}`,
    description: 'Invoice 8841',
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    buyAmount: 250_000,
    quoteId: holdId,
  });
  return isRefusal(booked) ? booked.refusal : booked.booking.id;
}

let requests = 0;
