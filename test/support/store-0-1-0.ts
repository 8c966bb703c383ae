/** A store as version 0.1.0 wrote it (commit b224228): the append-only file of a run of its programs, and their answers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export interface RecordedCall {
  readonly name: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly answer: Readonly<Record<string, string>>;
}

export interface StoreFacts {
  readonly writtenAtMs: number;
  readonly masterKey: string;
  readonly acme: { readonly client_key: string; readonly client_secret: string; readonly token: string };
  /** Stored in clear by 0.1.0, in payments that do not need it. */
  readonly cardNumber: string;
  readonly accounts: Readonly<Record<'eurA' | 'eurB' | 'usd' | 'inr' | 'gbp' | 'jpy', string>>;
  readonly balances: readonly { readonly account_number: number; readonly balance: number }[];
  readonly calls: readonly RecordedCall[];
  readonly payments: readonly { readonly payment_id: string; readonly status: string }[];
  /** Created while no worker ran: its entry is in the work stream. */
  readonly lateWorkPaymentId: string;
}

const folder = fileURLToPath(new URL('../data/store-0.1.0', import.meta.url));
const DAY_MS = 86_400_000;

/**
 * Writes it into an empty data directory as if it had been written just now: epoch milliseconds in it (expiries, stream ids, facts) are
 * moved by the elapsed time. They keep their 13 digits, so the lengths in the file stay right.
 */
export function writeStore010(dataDir: string, kind: 'embedded' | 'redis'): StoreFacts {
  const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as StoreFacts;
  const shift = Date.now() - facts.writtenAtMs;
  const moved = (text: string) =>
    text.replace(/(?<![0-9A-Za-z])1\d{12}(?![0-9A-Za-z])/g, (ms) => {
      const at = Number(ms);
      const isTime = at > facts.writtenAtMs - DAY_MS && at < facts.writtenAtMs + 40 * DAY_MS;
      return isTime ? String(at + shift) : ms;
    });
  const commands = gunzipSync(readFileSync(join(folder, 'appendonly.aof.gz'))).toString('latin1');
  const files = join(dataDir, kind, 'appendonlydir');
  mkdirSync(files, { recursive: true, mode: 0o700 });
  writeFileSync(join(files, 'appendonly.aof.1.incr.aof'), moved(commands), 'latin1');
  writeFileSync(join(files, 'appendonly.aof.manifest'), 'file appendonly.aof.1.incr.aof seq 1 type i\n');
  writeFileSync(join(dataDir, 'master.key'), `${facts.masterKey}\n`, { mode: 0o600 });
  return { ...facts, writtenAtMs: facts.writtenAtMs + shift };
}

export function callNamed({ calls }: StoreFacts, name: string): RecordedCall {
  const found = calls.find((call) => call.name === name);
  if (!found) throw new Error(`the fixture has no call ${name}`);
  return found;
}
