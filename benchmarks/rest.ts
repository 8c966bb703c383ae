/**
 * The cost of REST: each read and each command against a bare Express GET, in turn; the effect of 3,000 requests a second over REST on the
 * stream of prices; and the effect of requests with hostile texts on the reads of another client.
 *
 *   npm run build && npx tsx benchmarks/rest.ts [--only rate,bookfx,read,command,stream,hostile] [--callers 64] [--runs 3] [--seconds 2]
 *
 * `--only` takes parts of the names of rows. The store is the embedded one; with REDIS_SERVER=<path> that redis-server.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureStream } from './booking/stream.js';
import { goalText } from './goals.js';
import { onFreshStore, withDoors } from './load/ground.js';
import { cpuRatios, perSecondRatios, print, ratio, said, shown } from './load/report.js';
import { get } from './load/requests.js';
import { againstBare } from './rest/against-bare.js';
import { besideHostileTexts } from './rest/hostile.js';
import { ROWS, type Row } from './rest/rows.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    callers: { type: 'string', default: '64' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
});
const only = values.only?.split(',');
const load = { callers: Number(values.callers), runs: Number(values.runs), seconds: Number(values.seconds) };
const { runs, seconds } = load;
/** The clients that send requests; the stream has a hundred desks and one more client. */
const ASKERS = 64;
const CLIENTS = 101;
/** 3,008 requests a second. */
const BESIDE_STREAM = { callers: 64, perCallerPerSecond: 47 };

const isWanted = (row: Row) =>
  only === undefined || only.some((word) => word === row.kind || row.name.toLowerCase().includes(word.toLowerCase()));
const rows = ROWS.filter(isWanted);

process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, medians of ${runs} runs\n`);
if (rows.length > 0) await againstExpress();
if (only === undefined || only.includes('stream')) await besideTheStream();
if (only === undefined || only.includes('hostile')) await besideHostileTexts(runs, seconds);

function againstExpress(): Promise<void> {
  return onFreshStore(ASKERS, ({ dataDir, store, clients }) =>
    withDoors(dataDir, async (doors) => {
      const table: string[][] = [];
      for await (const { row, fault, bare, ours } of againstBare({ doors, store, clients }, rows, load)) {
        const goal = goalText(`rest/${row.name}`);
        if (fault !== undefined) {
          table.push([row.name, '', '', '', '', goal, fault]);
          continue;
        }
        const ratios = [perSecondRatios(ours, bare), cpuRatios(ours, bare)].map(ratio);
        table.push([row.name, shown(bare), shown(ours), ...ratios, goal, said(ours)]);
      }
      const headings = ['request', 'bare Express GET', 'here', 'ratio (spread)', 'by CPU', 'goal by CPU', 'faults'];
      print(`REST, ${load.callers} callers`, headings, table);
    }),
  );
}

function besideTheStream(): Promise<void> {
  return onFreshStore(CLIENTS, async ({ dataDir, store }) => {
    const { token } = await store.tokens.issue(`bench${CLIENTS}`, 'benchmark', ['read', 'rates']);
    const paths = ['/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD', '/api/v1/balance/all', '/api/v1/account'];
    const beside = { what: 'requests over REST', requests: [paths.map((path) => get(token, path))], ...BESIDE_STREAM };
    process.stdout.write(await measureStream({ dataDir, beside, runs: Math.max(runs, 5), seconds }));
  });
}
