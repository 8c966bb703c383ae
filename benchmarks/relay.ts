/**
 * The cost of a relay message with its signature, against one without: written by the engine that has the feed, read by one that follows.
 * CPU time of one process: the median over rounds in which both take turns, in microseconds a message. Whatever the number of desks, a
 * message is signed once and verified once in each process.
 */
import { randomBytes } from 'node:crypto';
import { SideOrigin, TickOrigin } from '../engine/rates/quote-origins.js';
import { RelayNames, RelayWriter, readRelayEntries, readRelayHeader } from '../engine/rates/relay-message.js';
import { MessageSigner } from '../engine/store/coordination/signed-messages.js';

const MESSAGES = 1_000;
const ROUNDS = 15;
const MUST_US = 60;
const CHANNEL = 'relay:rates';
const HOLDING = '0123456789abcdef 1763625600123456';

const signer = new MessageSigner(randomBytes(32));
const { names } = new TickOrigin();
const writer = new RelayWriter(60, names);
const reads = new RelayNames(names);
const origin = { bid: new SideOrigin(), offer: new SideOrigin() };
for (const side of [origin.bid, origin.offer]) {
  side.id.set(Buffer.from('Q-20260131-000123456'), 0, 20);
  side.by = names.numberOf('LP-1');
  side.runnerUpBy = names.numberOf('LP-2');
  side.sourceTimeUs = 1.7e15;
  side.runnerUp = 13_944_200;
}
let number = 0;
let seen = 0;

function written(pairs: number): Uint8Array {
  writer.begin(1, ++number, false, number);
  for (let i = 0; i < pairs; i++)
    writer.add('EURUSD', 7, 13_944_300 + i, 13_945_600 + i, 3e6, 2e6, 1.7e15, 12.5, undefined, origin);
  return writer.finish();
}

function read(message: Uint8Array): void {
  if (readRelayHeader(message)) readRelayEntries(message, ({ bid }) => (seen += bid > 0 ? 1 : 0), reads);
}

function unsigned(pairs: number): void {
  read(Buffer.from(written(pairs)));
}

function signed(pairs: number): void {
  const bytes = written(pairs);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const verified = signer.verify(CHANNEL, signer.sign(CHANNEL, { sender: HOLDING, number, atMs: 1.7e12, body }));
  if (typeof verified === 'string') throw new Error(verified);
  read(verified.body);
}

function microsOf(run: (pairs: number) => void, pairs: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < MESSAGES; i++) run(pairs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MESSAGES;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

let isSlow = false;
for (const pairs of [1, 5, 30, 60]) {
  const plain: number[] = [];
  const withMac: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(microsOf(unsigned, pairs));
    withMac.push(microsOf(signed, pairs));
  }
  const [before, after] = [median(plain), median(withMac)];
  isSlow ||= after - before > MUST_US;
  const ratio = (after / before).toFixed(1);
  console.log(
    `${String(pairs).padStart(4)} pairs: unsigned ${before.toFixed(1)} us, signed ${after.toFixed(1)} us, ${(after - before).toFixed(1)} us more (must be at most ${MUST_US}), ratio ${ratio}`,
  );
}
process.exitCode = isSlow || seen === 0 ? 1 : 0;
