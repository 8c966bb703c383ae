/**
 * Bytes of a conversion, a payment, a funding, a beneficiary and an item of a batch in the memory of a store and in its append-only file:
 *
 *   npx tsx benchmarks/record-size.ts [--store redis-server|embedded] [--count 2000]
 *
 * The source of the figures in docs/scale.md and in `ratewire store forecast`.
 */
import { parseArgs } from 'node:util';
import { RECORD_KINDS, recordSizes } from './booking/sizes.js';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, store: { type: 'string', default: 'redis-server' } },
});
const store = values.store === 'embedded' ? 'embedded' : 'redis-server';
for (const { kind, memory, file, rewritten } of await recordSizes(store, RECORD_KINDS, Number(values.count))) {
  const anew = rewritten === undefined ? '' : `, ${rewritten} B rewritten`;
  process.stdout.write(`${kind}: memory ${memory} B, file ${file} B as it grows${anew}\n`);
}
process.exit(0);
