/**
 * `<DATA_DIR>/store.json`: the address of the managed store, its password, and its owner. Also the lock of the data directory: it names its
 * owner before the server starts, and of two concurrent starts exactly one succeeds.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const PROCESS = z.object({ pid: z.number().int(), started: z.string() });
const STORE_FILE = z.object({
  kind: z.enum(['redis-server', 'embedded']),
  host: z.string(),
  /** 0 until the server listens. */
  port: z.number().int(),
  password: z.string(),
  server: PROCESS,
  owner: PROCESS,
});

/** A process id and its start time: the id alone may by now be another process's, in a container nearly always. */
export type ProcessMark = z.infer<typeof PROCESS>;
export type StoreFile = z.infer<typeof STORE_FILE>;

export const NO_PROCESS: ProcessMark = { pid: 0, started: '' };

const path = (dataDir: string): string => join(dataDir, 'store.json');

/** Undefined when it is missing or incomplete. */
export function readStoreFile(dataDir: string): StoreFile | undefined {
  return parse(path(dataDir));
}

/** By the owner only. */
export function writeStoreFile(dataDir: string, file: StoreFile): void {
  renameSync(draft(dataDir, file), path(dataDir));
}

/**
 * Becomes the owner of a data directory whose file is still `seen`; false when another process was faster. Throws the file system's error
 * when the directory is not writable.
 */
export function claimStoreFile(dataDir: string, seen: StoreFile | undefined, mine: StoreFile): boolean {
  const made = draft(dataDir, mine);
  try {
    setAside(dataDir, seen);
    linkSync(made, path(dataDir));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(made, { force: true });
  }
}

/** Removes the stale file; restores it when meanwhile it has become another process's. */
function setAside(dataDir: string, seen: StoreFile | undefined): void {
  const aside = `${path(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}.stale`;
  try {
    renameSync(path(dataDir), aside);
  } catch {
    return;
  }
  try {
    if (JSON.stringify(parse(aside)) !== JSON.stringify(seen)) linkSync(aside, path(dataDir));
  } finally {
    rmSync(aside, { force: true });
  }
}

function parse(file: string): StoreFile | undefined {
  try {
    return STORE_FILE.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function draft(dataDir: string, file: StoreFile): string {
  const name = `${path(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}.draft`;
  writeFileSync(name, text(file), { mode: 0o600, flag: 'wx', flush: true });
  return name;
}

const text = (file: StoreFile): string => `${JSON.stringify(file, null, 2)}\n`;

/** This process, or another by its id. */
export function markOf(pid: number): ProcessMark {
  return { pid, started: startedAt(pid) };
}

export function isAlive({ pid, started }: ProcessMark): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startedAt(pid);
  return started === '' || now === '' || now === started;
}

/** When a process started, in the system's own count; '' where the system does not state it. */
function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The 22nd field; the second, a name in brackets, may contain spaces. A zombie counts as ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return '';
  }
}
