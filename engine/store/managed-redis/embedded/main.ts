/**
 * The embedded server's own process: its event loop blocks while the disk syncs, so it must not be the engine's. Started and stopped by its
 * owner (../embedded-server.ts) over IPC; when the owner is gone, it ends by itself.
 */

import { truncateTornWrite } from '../aof-tail.js';
import { compact, replayBytes } from './compaction.js';
import { bind, bootValkey, type Valkey } from './valkey.js';

/** The owner's start message. */
export interface StartOrder {
  readonly dir: string;
  /** 0: any free one. */
  readonly port: number;
  readonly password: string;
  readonly fsync: 'always' | 'everysec';
  /** The append-only file is rewritten at boot when more than this would be replayed. */
  readonly compactAboveBytes: number;
}

/** The reply of this process, once. */
export type StartReply =
  | { readonly ready: true; readonly port: number }
  | { readonly ready: false; readonly code: string };

let valkey: Valkey | undefined;
let stopping = false;

process.once('message', (order: StartOrder) => void begin(order));
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches every process of the terminal: the owner stops first, and then this one.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('disconnect', () => void stop());

async function begin({ dir, port, password, fsync, compactAboveBytes }: StartOrder): Promise<void> {
  try {
    // Bound before the data is loaded: a taken port is detected at once, and early connections wait here.
    const listener = await bind(port);
    const load = async (): Promise<Valkey> => {
      if (replayBytes(dir) > compactAboveBytes) await compact(dir, { password, fsync });
      return bootValkey(dir, listener.port, { password, fsync });
    };
    valkey = await load().catch(async (error: unknown) => {
      if (!(await truncateTornWrite(dir))) throw error;
      return load();
    });
    valkey.serve(listener);
    answer({ ready: true, port: listener.port });
  } catch (error) {
    // The server's last output is on stdout, which the owner reads.
    if (error instanceof Error) process.stdout.write(`${error.message}\n`);
    const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? 'FAILED') : 'FAILED';
    answer({ ready: false, code });
    process.exitCode = 1;
    process.disconnect();
    return;
  }
  await valkey.ended;
  process.exit(stopping ? 0 : 70);
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await valkey?.stop();
  process.exit();
}

function answer(reply: StartReply): void {
  if (process.connected) process.send?.(reply);
}
