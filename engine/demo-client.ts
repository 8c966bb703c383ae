/** The client that a first start creates, so that rates can be seen at once: its credentials stand in a file of the data directory. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ENGINE_COMP_ID } from './domain/comp-id.js';
import { marginPpmFromText } from './domain/margin.js';
import { RIGHTS } from './domain/rights.js';
import type { Addresses } from './program.js';
import type { Store } from './store/store.js';

const ID = 'demo';
const COMP_ID = 'DEMO1';

/** Percent by pair; `*` is every other pair. */
const MARGINS: Readonly<Record<string, string>> = {
  '*': '0.25',
  'EUR/USD': '0.1',
  'GBP/USD': '0.12',
  'USD/JPY': '0.15',
  'USD/INR': '0.5',
};

const CREDENTIALS = z.object({ client_key: z.string(), client_secret: z.string() });
type Credentials = z.infer<typeof CREDENTIALS>;

/** Credentials that work: those of the file, or new ones when there is no file, no client, or another store than before. */
export async function demoCredentials(store: Store, dataDir: string): Promise<Credentials> {
  const created = await store.clients.create({ id: ID, name: 'Demo client', defaultType: 'PREFUNDING' });
  if (created) {
    for (const [pair, percent] of Object.entries(MARGINS)) {
      await store.margins.set({ clientId: ID, pair, type: '*', marginPpm: marginPpmFromText(percent)! });
    }
    // What is booked over REST is seen on the FIX session, and the other way round.
    await store.compIds.assign(COMP_ID, ID, { dropCopy: true });
  }
  const known = readCredentials(demoFile(dataDir));
  if (known && (await store.keys.verify(known.client_key, known.client_secret))?.clientId === ID) return known;

  const issued = (await store.keys.issue(ID, RIGHTS)) ?? (await newSecret(store));
  return { client_key: issued.clientKey, client_secret: issued.clientSecret };
}

// The file was lost so often that the client may have no more keys.
async function newSecret(store: Store) {
  const [first] = await store.keys.list(ID);
  const rotated = await store.keys.rotate(first!.keyId);
  return rotated!;
}

/** Writes what a desk needs to connect, for its owner's eyes only; the addresses are those of this start. */
export function writeDemoFile(dataDir: string, credentials: Credentials, addresses: Addresses): void {
  const text = JSON.stringify(
    {
      client_key: credentials.client_key,
      client_secret: credentials.client_secret,
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
