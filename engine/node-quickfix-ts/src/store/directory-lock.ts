import { createHash, randomBytes } from 'node:crypto';
import { chmod, type FileHandle, link, open, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Longest path of a socket that every system takes, bytes. */
const SOCKET_PATH_MAX = 100;
const ATTEMPTS = 20;
const LOCK = /^lock\.(\d{1,15})$/;

/**
 * The right of one process to write a directory. It is a listening socket, `lock.<n>`: the kernel closes it with the process, however that
 * ends, and a connection attempt shows whether its process lives. A number is linked once, so that of two processes which find a dead holder
 * only one becomes the next. Its release removes it. A process that had read the numbers before may then link a higher one beside a new holder:
 * it withdraws, because it finds that one alive.
 */
export class DirectoryLock {
  private constructor(
    private readonly server: Server,
    private readonly folder: FileHandle | undefined,
  ) {}
  /** Of a lock that is held. */
  #path: string | undefined;

  /** Undefined: a living process has the directory. Rejects with the file system's error. */
  static async acquire(directory: string): Promise<DirectoryLock | undefined> {
    if (process.platform === 'win32') return DirectoryLock.byPipe(directory);
    // A long path is shortened to one of an open folder, where the system has such paths.
    const isLong = Buffer.byteLength(directory) + 40 > SOCKET_PATH_MAX;
    const folder = isLong ? await open(directory, 'r') : undefined;
    const place = folder === undefined ? directory : `/proc/self/fd/${folder.fd}`;
    const mine = `lock.tmp-${randomBytes(6).toString('hex')}`;
    const server = await listen(join(place, mine)).catch(async (error: unknown) => {
      await folder?.close();
      throw error;
    });
    const lock = new DirectoryLock(server, folder);
    try {
      // For its owner alone, as every file here.
      const isThere = await finds(chmod(join(directory, mine), 0o600));
      const number = isThere ? await claim(directory, place, mine) : undefined;
      if (number === undefined) await lock.release();
      else lock.#path = join(directory, `lock.${number}`);
      return number === undefined ? undefined : lock;
    } catch (error) {
      await lock.release();
      throw error;
    } finally {
      await rm(join(directory, mine), { force: true });
    }
  }

  /** A pipe of Windows has one owner, and ends with its process. */
  private static async byPipe(directory: string): Promise<DirectoryLock | undefined> {
    const name = createHash('sha256').update(directory.toLowerCase()).digest('hex').slice(0, 32);
    try {
      return new DirectoryLock(await listen(`\\\\.\\pipe\\node-quickfix-ts-${name}`), undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
      throw error;
    }
  }

  /** Leaves no file. */
  async release(): Promise<void> {
    // While the process listens no other one has this name.
    if (this.#path !== undefined) await rm(this.#path, { force: true });
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.folder?.close();
  }
}

/** The number of `mine`, linked as the highest lock; undefined: another process has the directory. */
async function claim(directory: string, place: string, mine: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const highest = Math.max(0, ...(await numbersIn(directory)));
    if (highest > 0) {
      const state = await probe(join(place, `lock.${highest}`));
      if (state === 'alive') return undefined;
      if (state === 'gone') continue;
    }
    const next = highest + 1;
    try {
      if (!(await finds(link(join(directory, mine), join(directory, `lock.${next}`))))) return undefined;
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const numbers = await numbersIn(directory);
    if (Math.max(...numbers) > next || (await isAnyAlive(place, numbers, next))) {
      await rm(join(directory, `lock.${next}`), { force: true });
      continue;
    }
    await removeLeftovers(directory, next, mine);
    return next;
  }
  return undefined;
}

async function isAnyAlive(place: string, numbers: readonly number[], next: number): Promise<boolean> {
  for (const number of numbers)
    if (number !== next && (await probe(join(place, `lock.${number}`))) === 'alive') return true;
  return false;
}

/** False: our name is gone. Another process holds the directory, and has removed it as left over. */
async function finds(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function numbersIn(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => LOCK.exec(name)?.[1] ?? []).map(Number);
}

async function removeLeftovers(directory: string, held: number, mine: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const number = LOCK.exec(name)?.[1];
    const isOld = number === undefined ? name.startsWith('lock.tmp-') && name !== mine : Number(number) < held;
    if (isOld) await rm(join(directory, name), { force: true });
  }
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Exclusive: in a worker of node:cluster it would belong to the primary process, and outlive the worker.
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      // It must not keep the process from ending.
      resolve(server.unref());
    });
  });
}

/** `dead`: no process listens. `gone`: the name was removed meanwhile. */
function probe(path: string): Promise<'alive' | 'dead' | 'gone'> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve('alive');
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Any other error does not show that the holder has died.
      resolve(code === 'ECONNREFUSED' ? 'dead' : code === 'ENOENT' ? 'gone' : 'alive');
    });
  });
}
