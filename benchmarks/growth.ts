/**
 * Lists, statements and bookings in a large store against a store of 1,000 bookings, and the start of the large one:
 *
 *   npm run build && npx tsx benchmarks/growth.ts [--bookings 1000000] [--payments 100000] [--clients 8] [--runs 3] [--reads 1000]
 *     [--store redis-server|embedded] [--json now.json] [--compare earlier.json]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureGrowth } from './booking/growth.js';
import { type BenchRun, machineText, resultTable } from './load/report.js';

const { values } = parseArgs({
  options: {
    bookings: { type: 'string', default: '1000000' },
    payments: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '8' },
    runs: { type: 'string', default: '3' },
    reads: { type: 'string', default: '1000' },
    store: { type: 'string', default: 'redis-server' },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});
const earlier = values.compare ? (JSON.parse(readFileSync(values.compare, 'utf8')) as BenchRun) : undefined;
const at = new Date().toISOString();
const machine = machineText();
const { bookings, payments, clients, runs, reads } = values;
const results = await measureGrowth(values.store === 'embedded' ? 'embedded' : 'redis-server', {
  bookings: Number(bookings),
  payments: Number(payments),
  clients: Number(clients),
  runs: Number(runs),
  reads: Number(reads),
});
process.stdout.write(`${at}, ${machine}, ${bookings} bookings, ${payments} payments, ${runs} runs\n\n`);
process.stdout.write(`${resultTable(results, earlier)}\n`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ at, machine, results }, undefined, 2)}\n`);
process.exit(0);
