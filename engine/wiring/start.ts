/**
 * What `npm start` runs once everything is built: the store, the engine and the sidecar, stopped in reverse by Ctrl-C. The two programs are
 * started first: they load their modules while this process loads launch.ts and starts the store.
 */

import { withTimeout } from '../domain/core/with-timeout.js';
import { SIDECAR_FLAGS, startChild } from './children.js';
import { startFault } from './program.js';

const signalled = new Promise<'signalled'>((resolve) => {
  // npm passes Ctrl-C on a second time; only the first counts.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('signalled'));
  // A killed npm passes no signal on; it is then no longer this process's parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve('signalled'), 500).unref();
});

/** At a signal during the start: how long the stop waits for parts that are starting. */
const START_GRACE_MS = 5_000;

// A person's terminal shows what needs a person, unless LOG_LEVEL asks for more.
const env = { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
const children = {
  engine: startChild('engine', 'engine/main.js', env),
  sidecar: startChild('sidecar', 'rest/main.js', env, SIDECAR_FLAGS),
};
/** Innermost first; stopped from the end, and the programs before all of it. */
const running: { stop(): Promise<void> }[] = [];

const starting = import('./launch.js').then(({ launch }) =>
  launch(children, signalled, (stop) => running.push({ stop })),
);
const ending = await Promise.race([signalled, untilSomethingEnds()]);
await withTimeout(
  starting.catch(() => {}),
  START_GRACE_MS,
  () => {},
);
for (const part of [...running, children.engine, children.sidecar].reverse()) await part.stop().catch(() => {});
if (ending !== 'signalled') process.stderr.write(`${ending}\n`);
process.exit(ending === 'signalled' ? 0 : 1);

/** Resolves with the one line that says what ended, or why the start did. */
async function untilSomethingEnds(): Promise<string> {
  try {
    process.stdout.write(await starting);
    return await Promise.race([children.engine.died, children.sidecar.died]);
  } catch (error) {
    return startFault('ratewire', error);
  }
}
