/**
 * Rewrites the append-only file of the embedded server: it cannot do so while it runs (there is no fork), so it is done at boot, when the
 * file exceeds a limit. A crash at any point leaves either the old files or the new ones in effect.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerArguments } from './argv.js';
import { bootValkey } from './valkey.js';

const MANIFEST = 'appendonly.aof.manifest';

/** Bytes of commands that would be replayed at boot. */
export function replayBytes(dir: string): number {
  return files(dir)
    .filter((name) => name.endsWith('.incr.aof'))
    .reduce((sum, name) => sum + statSync(join(dir, 'appendonlydir', name)).size, 0);
}

/** Loads everything, writes it as one image, and makes that the base of an empty append-only file. */
export async function compact(dir: string, args: ServerArguments): Promise<void> {
  const valkey = await bootValkey(dir, 1, args);
  await valkey.command('SAVE');
  await valkey.stop();
  await valkey.ended;
  startFrom(dir, join(dir, 'dump.rdb'));
}

function startFrom(dir: string, image: string): void {
  const folder = join(dir, 'appendonlydir');
  const old = files(dir).filter((name) => name !== MANIFEST);
  const next = 1 + Math.max(0, ...old.map((name) => Number(/\.(\d+)\./.exec(name)?.[1] ?? 0)));
  const base = `appendonly.aof.${next}.base.rdb`;
  const increment = `appendonly.aof.${next}.incr.aof`;
  renameSync(image, join(folder, base));
  sync(join(folder, base));
  writeFileSync(join(folder, increment), '', { flush: true });
  const draft = join(folder, `temp-${MANIFEST}`);
  writeFileSync(draft, `file ${base} seq ${next} type b\nfile ${increment} seq ${next} type i\n`, { flush: true });
  sync(folder);
  renameSync(draft, join(folder, MANIFEST));
  sync(folder);
  for (const name of old) rmSync(join(folder, name), { force: true });
}

function files(dir: string): string[] {
  try {
    return readdirSync(join(dir, 'appendonlydir'));
  } catch {
    return [];
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
