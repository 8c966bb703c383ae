/**
 * Memory of logged-on idle sessions: `npx tsx --expose-gc benchmarks/session-memory.ts [sessions]`. The desks run in a process of their
 * own, so that only the acceptor's side of each connection is counted.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Acceptor, Dictionary, Initiator, memoryStoreFactory, profile } from 'node-quickfix-ts';

const SESSIONS = Number(process.argv[2] ?? 1_000);
const port = Number(process.env.DESKS_OF_PORT ?? 0);
if (port > 0) await desks(port);
else await measure();

async function measure(): Promise<void> {
  const xml = readFileSync(new URL('../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8');
  const acceptor = new Acceptor({
    port: 0,
    dictionary: Dictionary.parse(xml),
    store: memoryStoreFactory(),
    limits: { maxPendingConnections: SESSIONS },
    application: {
      authenticate: () => ({ accept: true, profile: profile({}), reply: [], context: undefined }),
      onLogon() {},
      onMessage() {},
      onLogout() {},
    },
  });
  const { port } = await acceptor.listen();
  const before = usedKb();
  const child = fork(fileURLToPath(import.meta.url), [String(SESSIONS)], {
    env: { ...process.env, DESKS_OF_PORT: String(port) },
    execArgv: process.execArgv,
  });
  while ([...acceptor.sessions()].length < SESSIONS) await wait(100);
  await wait(2_000);
  const after = usedKb();
  for (const [what, kb] of Object.entries(after)) {
    const before_ = before[what as keyof typeof before];
    console.log(`${what}: ${((kb - before_) / SESSIONS).toFixed(1)} KB a session (${SESSIONS} sessions)`);
  }
  child.kill();
  await acceptor.stop();
  process.exit(0);
}

function usedKb(): { heap: number; external: number; resident: number } {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed / 1024, external: external / 1024, resident: rss / 1024 };
}

async function desks(port: number): Promise<void> {
  for (let i = 0; i < SESSIONS; i++) {
    new Initiator({
      host: '127.0.0.1',
      port,
      beginString: 'FIX.4.4',
      senderCompId: `DESK${i}`,
      targetCompId: 'FXENGINE',
      heartBtInt: 30,
      store: memoryStoreFactory(),
      application: { onLogon() {}, onMessage() {}, onLogout() {} },
    }).start();
    if (i % 50 === 49) await wait(20);
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
