import { type FileHandle, open } from 'node:fs/promises';
import { sep } from 'node:path';

interface Opened {
  readonly handle: Promise<FileHandle>;
  users: number;
  /** Written since the last sync. */
  dirty: boolean;
}

/** Open files, at most `max` at a time: beyond that the one that was not used for longest is closed, and opened again when it is used. */
export class FilePool {
  /** Least recently used first. */
  private readonly opened = new Map<string, Opened>();
  private readonly waiting: (() => void)[] = [];
  /** Removed from `opened`, and not closed yet. */
  private closing = 0;

  constructor(
    private readonly max: number,
    /** Whether a written file is synced before it is closed. */
    private readonly syncsOnClose: boolean,
  ) {}

  /** Runs `work` on the file, which by default is created when it does not exist. Rejects with the file system's error. */
  async use<T>(path: string, work: (file: FileHandle) => Promise<T>, opener = openOrCreate): Promise<T> {
    const entry = await this.entryFor(path, opener);
    entry.users++;
    try {
      return await work(await entry.handle);
    } catch (error) {
      // A file that could not be opened must not be kept.
      if (!(await entry.handle.then(Boolean, () => false))) this.remove(path, entry);
      throw error;
    } finally {
      entry.users--;
      this.waiting.shift()?.();
    }
  }

  /** The open file, or a new one as soon as there is room for it. */
  private async entryFor(path: string, opener: typeof openOrCreate): Promise<Opened> {
    for (;;) {
      const entry = this.opened.get(path);
      if (entry !== undefined || this.opened.size + this.closing < this.max) {
        this.opened.delete(path);
        const used = entry ?? { handle: opener(path), users: 0, dirty: false };
        this.opened.set(path, used);
        return used;
      }
      if (!(await this.closeIdle())) await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Marks a file as written: `sync` is due. */
  wrote(path: string): void {
    const entry = this.opened.get(path);
    if (entry !== undefined) entry.dirty = true;
  }

  async sync(path: string): Promise<void> {
    await this.use(path, async (file) => {
      const entry = this.opened.get(path);
      if (entry !== undefined) entry.dirty = false;
      await file.datasync();
    });
  }

  async syncAll(): Promise<void> {
    for (const [path, { dirty }] of [...this.opened]) if (dirty) await this.sync(path);
  }

  /** A created, renamed or deleted name is durable once its folder is. */
  async syncFolder(path: string): Promise<void> {
    // Windows cannot sync a folder.
    if (process.platform === 'win32') return;
    await this.use(
      path,
      (folder) => folder.sync(),
      (folder) => open(folder, 'r'),
    );
    await this.close(path);
  }

  /** Closes a file that is no longer used by its session. */
  async close(path: string): Promise<void> {
    const entry = this.opened.get(path);
    if (entry === undefined || entry.users > 0) return;
    this.remove(path, entry);
    await this.closed(entry);
  }

  /** Closes the files of a session that is closed. */
  async closeUnder(folder: string): Promise<void> {
    const paths = [...this.opened.keys()].filter((path) => path.startsWith(`${folder}${sep}`));
    for (const path of paths) await this.close(path);
  }

  private async closeIdle(): Promise<boolean> {
    for (const [path, entry] of this.opened) {
      if (entry.users > 0) continue;
      this.remove(path, entry);
      await this.closed(entry);
      return true;
    }
    return false;
  }

  private remove(path: string, entry: Opened): void {
    if (this.opened.get(path) === entry) this.opened.delete(path);
  }

  private async closed({ handle, dirty }: Opened): Promise<void> {
    this.closing++;
    try {
      const file = await handle.catch(() => undefined);
      try {
        if (dirty && this.syncsOnClose) await file?.datasync();
      } finally {
        await file?.close();
      }
    } finally {
      this.closing--;
      this.waiting.shift()?.();
    }
  }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return open(path, 'wx+', 0o600);
  }
}
