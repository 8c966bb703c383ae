/** A managed store that is gone for as long as a test wants, and comes back by itself then. */
import { existsSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readStoreFile } from '../../engine/store/managed-redis/store-file.js';

/**
 * SIGKILL to the server of a data directory. Its owner starts it again after 50 ms, which a busy machine may need for one answer: until `end`, or the end
 * of the test, the server's own directory has another name, and it cannot start.
 */
export function killStore(dataDir: string): { end(): void } {
  // Test stores of one process share servers: the data directory of such a one has a link.
  const owned = dirname(realpathSync(join(dataDir, 'store.json')));
  const { kind, server } = readStoreFile(dataDir)!;
  const data = join(owned, kind === 'embedded' ? 'embedded' : 'redis');
  const away = `${data}-away`;
  renameSync(data, away);
  process.kill(server.pid, 'SIGKILL');
  const end = (): void => {
    if (existsSync(away)) renameSync(away, data);
  };
  onTestFinished(end);
  return { end };
}
