/**
 * The client that a first start creates, so that rates can be seen and conversions booked at once: its credentials are in a file of the
 * data directory. It has money and an operator's key, so it is created only on a store that ratewire started itself, or with DEMO=yes, and
 * never beside another client.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ENGINE_COMP_ID } from '../domain/core/ids.js';
import { isRefusal } from '../domain/core/refusal.js';
import { OPERATE, RIGHTS, type Right } from '../domain/core/rights.js';
import { parsePositive } from '../domain/money/money.js';
import { marginPpmFromText } from '../domain/money/rate.js';
import type { Store } from '../store/store.js';
import type { Addresses } from './program.js';

const ID = 'demo';
/** The client whose key opens the live page for an operator. */
const HOUSE = 'house';
const COMP_ID = 'DEMO1';
const DEMO_CLIENT = { id: ID, name: 'Demo client' };

/** Percent by pair; `*` is every other pair. */
const MARGINS: Readonly<Record<string, string>> = {
  'EUR/USD': '0.1',
  'GBP/USD': '0.12',
  'USD/JPY': '0.15',
  'USD/INR': '0.5',
  '*': '0.25',
};

/** Opening balances, in units. */
const MONEY: Readonly<Record<string, string>> = {
  EUR: '1000000',
  USD: '1000000',
  GBP: '1000000',
  JPY: '100000000',
  SGD: '1000000',
  INR: '1000000',
  AUD: '1000000',
  CHF: '1000000',
};
const SCHEDULED_LIMIT = '1000000';

/** The creator of the demo client, in the audit log. */
const WHO = 'ratewire start';

const CREDENTIALS = z.object({
  client_key: z.string(),
  client_secret: z.string(),
  operator_key: z.string().default(''),
  operator_secret: z.string().default(''),
});
type Credentials = z.infer<typeof CREDENTIALS>;

export interface Demo {
  /** The valid ones, '' for an invalid one; undefined: none is valid. Includes those of the operator's key of the live page. */
  readonly credentials: Credentials | undefined;
  /** Why nothing was created or completed. */
  readonly skipped?: string;
}

/**
 * Valid credentials: those of the file, or new ones when there is no file, no client, or another store than before. A key that an
 * operator has revoked is never replaced.
 */
export async function demoCredentials(store: Store, dataDir: string, demo?: 'yes' | 'no'): Promise<Demo> {
  const known = readCredentials(demoFile(dataDir));
  const client = await keyState(store, ID, known?.client_key, known?.client_secret);
  const operator = await keyState(store, HOUSE, known?.operator_key, known?.operator_secret);
  const skipped = await whyNone(store, demo, [client, operator].includes('revoked'));
  if (skipped === undefined) return { credentials: await made(store, known) };
  if (known === undefined || (client !== 'works' && operator !== 'works')) return { credentials: undefined, skipped };
  const credentials = {
    ...known,
    ...(client !== 'works' && { client_key: '', client_secret: '' }),
    ...(operator !== 'works' && { operator_key: '', operator_secret: '' }),
  };
  return { credentials, skipped };
}

async function whyNone(store: Store, demo: 'yes' | 'no' | undefined, isRevoked: boolean): Promise<string | undefined> {
  if (demo === 'no') return 'No demo client: DEMO is no.';
  if (store.kind === 'redis-url' && demo !== 'yes') {
    const isThere = (await store.clients.get(ID)) !== undefined;
    const earlier = ` There is one of an earlier start: \`ratewire clients disable ${ID}\` and \`ratewire clients disable ${HOUSE}\` shut it out.`;
    return `No demo client: the store at REDIS_URL was not started by ratewire; set DEMO=yes for a try.${isThere ? earlier : ''}`;
  }
  if (await hasOthers(store)) return `No demo client: this store has other clients than ${ID} and ${HOUSE}.`;
  if (isRevoked) return 'No demo client: its key was revoked, or the client disabled, and no new key is made.';
  return undefined;
}

const PAGE = 1_000;

async function hasOthers({ clients }: Store): Promise<boolean> {
  return (await clients.list({ limit: PAGE })).some(({ id }) => id !== ID && id !== HOUSE);
}

/** `revoked` also when the revoked key is unknown: an operator has revoked the client's access. */
async function keyState(
  { keys, clients }: Store,
  clientId: string,
  key = '',
  secret = '',
): Promise<'works' | 'revoked' | 'missing'> {
  const verified = key === '' ? undefined : await keys.verify(key, secret);
  if (verified?.clientId === clientId && !verified.disabled) return 'works';
  if ((await clients.get(clientId))?.disabled) return 'revoked';
  return (await keys.list(clientId)).some(({ revoked }) => revoked) ? 'revoked' : 'missing';
}

async function made(store: Store, known: Credentials | undefined): Promise<Credentials> {
  const before = await standing(store);
  const isWhole = before !== undefined && before.accounts >= Object.keys(MONEY).length && (await allWork(store, known));
  if (isWhole) return provided(store, known);
  const asked = { who: WHO, operation: 'provideDemoClient', subject: `client ${ID}`, input: {}, before };
  const entry = await store.auditLog.begin(asked);
  const credentials = await provided(store, known);
  const issued = credentials.client_key === known?.client_key ? undefined : credentials.client_key;
  await store.auditLog.end(entry, { outcome: 'done', after: await standing(store), made: issued });
  return credentials;
}

async function provided(store: Store, known: Credentials | undefined): Promise<Credentials> {
  await provideClient(store, DEMO_CLIENT, COMP_ID);
  // So that `ratewire listen` shows what happens.
  await store.events.enable((await store.clients.get(ID))!);
  await store.clients.create({ id: HOUSE, name: 'House', defaultType: 'PREFUNDING' });
  const client = await keyFor(store, ID, RIGHTS, [known?.client_key, known?.client_secret]);
  const operator = await keyFor(store, HOUSE, [OPERATE], [known?.operator_key, known?.operator_secret]);
  return {
    client_key: client.key,
    client_secret: client.secret,
    operator_key: operator.key,
    operator_secret: operator.secret,
  };
}

async function allWork({ keys }: Store, known: Credentials | undefined): Promise<boolean> {
  if (known === undefined) return false;
  const client = await keys.verify(known.client_key, known.client_secret);
  const operator = await keys.verify(known.operator_key, known.operator_secret);
  return client?.clientId === ID && operator?.clientId === HOUSE;
}

/** For the audit log; undefined before the first start. */
async function standing(store: Store) {
  const client = await store.clients.get(ID);
  if (client === undefined) return undefined;
  const [accounts, margins, compIds, keys] = await Promise.all([
    store.accounts.list(client),
    store.margins.list(ID),
    store.compIds.list(ID),
    store.keys.list(ID),
  ]);
  return { accounts: accounts.length, margins: margins.length, compIds, keys: keys.length };
}

async function keyFor(
  store: Store,
  clientId: string,
  rights: readonly Right[],
  [key = '', secret = '']: readonly (string | undefined)[],
): Promise<{ key: string; secret: string }> {
  if (key !== '' && (await store.keys.verify(key, secret))?.clientId === clientId) return { key, secret };
  const { clientKey, clientSecret } = (await store.keys.issue(clientId, rights)) ?? (await newSecret(store, clientId));
  return { key: clientKey, secret: clientSecret };
}

/**
 * Everything that such a client has, once: a start that was killed half-way is completed; what an
 * operator has changed since stays changed. The accounts come last, so without any the steps before them are done again.
 */
export async function provideClient(
  store: Store,
  { id, name }: { readonly id: string; readonly name: string },
  compId: string,
): Promise<void> {
  await store.clients.create({ id, name, defaultType: 'PREFUNDING' });
  const client = (await store.clients.get(id))!;
  const accounts = await store.accounts.list(client);
  if (accounts.length === 0) {
    await setMargins(store, id);
    // Bookings by REST are reported on the FIX session, and bookings by FIX are listed by REST.
    await store.compIds.assign(compId, id, { dropCopy: true });
    if (client.scheduledLimit === '0') await store.clients.setScheduledLimit(id, SCHEDULED_LIMIT);
  }
  for (const [currency, amount] of Object.entries(MONEY)) {
    const opening = { currency, label: `Demo ${currency}`, autoBookFxSequence: 0, makeDefault: false };
    const account =
      accounts.find((opened) => opened.currency === currency && opened.isDefault) ??
      (await store.accounts.open(client, opening));
    // Credited once for each reference: an account that was emptied since, or that is closed, stays as it is.
    const minor = parsePositive(amount, currency);
    if (account && !isRefusal(minor)) await store.accounts.credit(client, `${id}-${currency}`, account.number, minor);
  }
}

/** The rule for every other pair is written last: where it exists, all were written. */
async function setMargins({ margins }: Store, clientId: string): Promise<void> {
  if ((await margins.list(clientId)).some(({ pair }) => pair === '*')) return;
  for (const [pair, percent] of Object.entries(MARGINS))
    await margins.set({ clientId, pair, type: '*', marginPpm: marginPpmFromText(percent)! });
}

// The file was lost so often that the client may have no more keys.
async function newSecret(store: Store, clientId: string) {
  const live = (await store.keys.list(clientId)).find(({ revoked }) => !revoked)!;
  await store.keys.retirePreviousSecret(live.keyId);
  const rotated = await store.keys.rotate(live.keyId);
  if (typeof rotated !== 'object') throw new Error(`${clientId} has no key that could be given a new secret`);
  return rotated;
}

/** Writes what a desk needs to connect, for its owner's eyes only; the addresses are those of this start. */
export function writeDemoFile(dataDir: string, credentials: Credentials, addresses: Addresses): void {
  const text = JSON.stringify(
    {
      client_key: credentials.client_key,
      client_secret: credentials.client_secret,
      operator_key: credentials.operator_key,
      operator_secret: credentials.operator_secret,
      sender_comp_id: COMP_ID,
      target_comp_id: ENGINE_COMP_ID,
      fix: addresses.fix,
      rest: addresses.rest,
    },
    undefined,
    2,
  );
  // Under another name first: a reader never sees half a file, and an older one's mode is not inherited.
  const fresh = `${demoFile(dataDir)}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${text}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, demoFile(dataDir));
}

function demoFile(dataDir: string): string {
  return join(dataDir, 'demo-client.json');
}

function readCredentials(file: string): Credentials | undefined {
  try {
    return CREDENTIALS.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
