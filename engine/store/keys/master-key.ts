/**
 * The master key, from which all other keys are derived. Given as MASTER_KEY, or created once in the data directory; a fingerprint in Redis
 * ensures that every process on one store has the same.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Connection } from '../connection/connection.js';
import { StoreStartError } from '../connection/errors.js';
import { laxMode, ownDirectory } from '../managed-redis/directory.js';

/** A 32-byte key for one purpose; the same for every process with the same master key. */
export type SubKey = (
  purpose:
    | 'secrets'
    | 'rate-signatures'
    | 'change-quotes'
    | 'cursors'
    | 'messages'
    | 'audit'
    | 'archive'
    | 'cards'
    | 'batches'
    | 'message-log'
    | 'record'
    | 'payees'
    | 'webhooks'
    | 'payee-verifications',
) => Buffer;

const FINGERPRINT = 'master-key:fingerprint';

/** Throws StoreStartError for a malformed key, and for one that the store was not created with. */
export async function agreeOnMasterKey(
  connection: Connection,
  given: string | undefined,
  dataDir: string,
): Promise<SubKey> {
  const file = join(dataDir, 'master.key');
  const known = await connection.read((redis) => redis.get(FINGERPRINT));
  if (known !== null && given === undefined && !existsSync(file)) {
    throw new StoreStartError(
      `this store was made with a master key that is not here: set MASTER_KEY, or copy master.key into ${dataDir}`,
    );
  }
  const lax = given === undefined ? (laxMode(dataDir) ?? laxMode(file)) : undefined;
  if (lax) throw new StoreStartError(lax);
  const master = given === undefined ? fromFile(file) : decode(given, 'MASTER_KEY');
  const fingerprint = derive(master, 'fingerprint').subarray(0, 16).toString('hex');
  if ((known ?? (await firstOf(connection, fingerprint))) !== fingerprint) {
    const which = given === undefined ? file : 'MASTER_KEY';
    throw new StoreStartError(
      `${which} is not the master key that this store was made with: give every process the same`,
    );
  }
  return (purpose) => derive(master, purpose);
}

/**
 * The sub-keys without a store; undefined: no key is given, and the data directory has none. Throws StoreStartError for a malformed key.
 */
export function knownSubKey(given: string | undefined, dataDir: string): SubKey | undefined {
  const file = join(dataDir, 'master.key');
  if (given === undefined && !existsSync(file)) return undefined;
  const master = given === undefined ? fromFile(file) : decode(given, 'MASTER_KEY');
  return (purpose) => derive(master, purpose);
}

/** Of several processes that create the store at once one is first. Written only then: a store that is full can still be opened. */
async function firstOf(connection: Connection, fingerprint: string): Promise<string | null> {
  await connection.write((redis) => redis.set(FINGERPRINT, fingerprint, 'NX'));
  return connection.write((redis) => redis.get(FINGERPRINT));
}

function fromFile(file: string): Buffer {
  if (!existsSync(file)) {
    // Written beside it and then linked: of two processes that create it at once, both read the complete file of the first.
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    try {
      ownDirectory(dirname(file));
      writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(file, error);
    } finally {
      rmSync(draft, { force: true });
    }
  }
  try {
    return decode(readFileSync(file, 'utf8').trim(), file);
  } catch (error) {
    if (error instanceof StoreStartError) throw error;
    throw new StoreStartError(`${file} cannot be read: make it readable for the user that runs this program`);
  }
}

function decode(text: string, where: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32 && /^[A-Za-z0-9+/_=-]+$/.test(text)) return key;
  throw new StoreStartError(`${where} is not a master key: it must be 32 bytes in base64 (openssl rand -base64 32)`);
}

function unwritable(file: string, error: unknown): StoreStartError {
  const code = (error as NodeJS.ErrnoException).code ?? 'error';
  return new StoreStartError(
    `${file} cannot be written (${code}): make the directory writable, or set DATA_DIR or MASTER_KEY`,
  );
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'ratewire', purpose, 32));
}
