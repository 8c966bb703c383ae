/** `npm run crash -- --rounds 300 --seed 1`: kills programs under load, and reports violated guarantees. With --cover: of cover, and with the provider. With --webhooks: of the delivery of events. With --batches: of batches and beneficiaries. With --clock: of a client's own clock. With --profit: kills nothing, and tries to withdraw more than was paid in. */
import { parseArgs } from 'node:util';
import { batchRun } from './batches/batch-run.js';
import { clockRun } from './clock/clock-run.js';
import { coverRun } from './cover/cover-run.js';
import { crashRun } from './crash-run.js';
import { profitRun } from './profit/profit-run.js';
import { webhookRun } from './webhooks/webhook-run.js';

const { values } = parseArgs({
  options: {
    batches: { type: 'boolean' },
    clock: { type: 'boolean' },
    cover: { type: 'boolean' },
    profit: { type: 'boolean' },
    webhooks: { type: 'boolean' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

// The current round is the last: its programs are stopped, and its directory is removed.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

tell(`seed ${seed}`);
if (values.cover) {
  const { violations, rounds: done } = await coverRun({ rounds, seed, tell, signal: stopping.signal });
  for (const violation of violations) tell(violation);
  tell(`${done} rounds of cover; ${violations.length} violations`);
  process.exit(violations.length === 0 && done === rounds ? 0 : 1);
}
if (values.batches) {
  const { violations, ...run } = await batchRun({ rounds, seed, tell, signal: stopping.signal });
  tell(
    `${run.rounds} rounds, ${run.kills} kills, ${run.batches} batches, ${run.funded} funded, ${run.cancelled} cancelled, ${run.created} payments, ${run.refused} refused items, ${run.repeats} repeated requests`,
  );
  tell(`${violations.length} violations`);
  process.exit(violations.length === 0 && run.rounds === rounds ? 0 : 1);
}
if (values.clock) {
  const { violations, ...run } = await clockRun({ rounds, seed, tell, signal: stopping.signal });
  tell(
    `${run.rounds} rounds, ${run.kills} kills, ${run.advances} advances, ${run.conversions} conversions, ${run.holds} holds`,
  );
  tell(`${violations.length} violations`);
  process.exit(violations.length === 0 && run.rounds === rounds ? 0 : 1);
}
if (values.webhooks) {
  const run = await webhookRun({ rounds, seed, tell, signal: stopping.signal });
  const { events, duplicates, rejected, kills } = run;
  tell(
    `${run.rounds} rounds, ${kills} kills, ${events} events, ${duplicates} duplicates, ${rejected} rejected deliveries`,
  );
  tell(`${run.violations.length} violations`);
  process.exit(run.violations.length === 0 && run.rounds === rounds ? 0 : 1);
}
if (values.profit) {
  const { violations, ...run } = await profitRun({ rounds, steps: 120, seed, tell, signal: stopping.signal });
  for (const violation of violations) tell(violation);
  tell(
    `${run.rounds} sequences: ${Object.entries(run.done)
      .map(([what, times]) => `${times} x ${what}`)
      .join(', ')}`,
  );
  tell(`${violations.length} violations`);
  process.exit(violations.length === 0 && run.rounds === rounds ? 0 : 1);
}
const tally = await crashRun({ rounds, seed, tell, signal: stopping.signal });
tell(tally.summary());
process.exit(tally.violations.length === 0 && tally.rounds === rounds ? 0 : 1);
