/**
 * The codec alone, against the straightforward implementation: split and join of strings. Times are the median over rounds in which the
 * codec and the baseline take turns, in microseconds a message.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Dictionary,
  encodeMessage,
  encodePublished,
  type Field,
  FrameReader,
  headerTemplate,
  MessageView,
  publishedType,
  SharedBody,
  sendingTime,
  validate,
} from 'node-quickfix-ts';

const MESSAGES = 20_000;
const ROUNDS = 15;

const ORDER = message(
  '35=D|34=5|49=DESK1|52=20261120-08:01:10.000|56=FXENGINE|11=REQ-000123|55=EUR/USD|54=1|60=20261120-08:01:10.000|' +
    '38=250000|40=D|15=EUR|59=4|117=HLD01J9Z6W3K8|58=Invoice 8841|20001=3q2-7wAAb0Jm5r1zq8kVw2yT9cD4eF6gH1iJ0kL2mN4|',
);
const PRICE =
  '55=EUR/USD|460=4|268=2|269=0|270=1.0788760|15=EUR|271=1000000|276=A|299=e7a1.41|' +
  '269=1|270=1.0843509|15=EUR|271=1000000|276=A|299=e7a1.41|20012=20261124|';

const dictionary = Dictionary.parse(readFileSync(new URL('../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8'));
const options = { userTags: 'ignore' } as const;
const stream = Buffer.concat(Array.from({ length: 250 }, () => ORDER));
const desk = { beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'DESK1' };
const time = Date.UTC(2026, 10, 20, 8, 0, 2);
const out = new Uint8Array(64 * 1024);

/** Where the generated modules find `node-quickfix-ts`. */
const generated = fileURLToPath(new URL('../dist/benchmarks/fix44/', import.meta.url));
const { tags, typed } = await generatedModules();

interface Case {
  readonly name: string;
  /** Handles `MESSAGES` messages. */
  readonly run: () => void;
}

const rows: readonly { readonly ours: Case; readonly baseline: Case; readonly must?: string }[] = [
  {
    ours: { name: 'index', run: overStream((view, at, end) => view.index(stream, at, end)) },
    baseline: { name: 'split', run: overStream((_, at, end) => splitMessage(at, end).get('35') === 'D') },
  },
  {
    ours: {
      name: 'index + validate',
      run: overStream(
        (view, at, end) => view.index(stream, at, end) && validate(view, dictionary, options) === undefined,
      ),
    },
    baseline: { name: 'split + check', run: overStream((_, at, end) => isValidPlain(splitMessage(at, end))) },
    must: '3',
  },
  {
    ours: { name: 'frame + index + validate', run: framedAndValidated() },
    baseline: { name: 'split + check', run: overStream((_, at, end) => isValidPlain(splitMessage(at, end))) },
    must: '3',
  },
  {
    ours: { name: 'read by Tag constants', run: overIndexed(readByTags()) },
    baseline: { name: 'by bare tags', run: overIndexed(readBare) },
    must: '1',
  },
  {
    ours: { name: 'read by a typed reader', run: overIndexed(readTyped()) },
    baseline: { name: 'by bare tags', run: overIndexed(readBare) },
    must: '1',
  },
  {
    ours: { name: 'build typed and encode', run: builtTyped() },
    baseline: { name: 'bare fields', run: builtBare() },
    must: '0.9',
  },
  {
    ours: { name: 'encode one report', run: encodedOrders() },
    baseline: { name: 'join', run: joinedOrders() },
  },
  {
    ours: { name: 'publish a price', run: publishedPrices() },
    baseline: { name: 'join', run: joinedPrices() },
    must: '0.2',
  },
];

console.log(`node ${process.version}, ${MESSAGES} messages x ${ROUNDS} rounds, order ${ORDER.length} bytes`);
console.log('us a message                 ours  (spread)   baseline              ratio    must');
for (const { ours, baseline, must } of rows) {
  const [own, plain] = inTurns(ours, baseline);
  const spread = `${own.low.toFixed(3)}-${own.high.toFixed(3)}`;
  const left = `${ours.name.padEnd(26)} ${own.median.toFixed(3)}  ${spread.padEnd(13)}`;
  const ratio = (plain.median / own.median).toFixed(1);
  console.log(`${left} ${plain.median.toFixed(3)} (${baseline.name})`.padEnd(72), `${ratio}x`.padStart(6), must ?? '');
}

/** Codec and baseline in turn, so that other load on the machine affects both. */
function inTurns(...cases: readonly Case[]): { median: number; low: number; high: number }[] {
  const times = cases.map((): number[] => []);
  for (let round = -3; round < ROUNDS; round++) {
    for (const [i, { run }] of cases.entries()) {
      const from = process.hrtime.bigint();
      run();
      const us = Number(process.hrtime.bigint() - from) / 1000 / MESSAGES;
      if (round >= 0) times[i].push(us);
    }
  }
  return times.map((all) => {
    all.sort((a, b) => a - b);
    return { median: all[all.length >> 1], low: all[0], high: all[all.length - 1] };
  });
}

function overStream(handle: (view: MessageView, at: number, end: number) => boolean): () => void {
  const view = new MessageView();
  return () => {
    for (let n = 0, at = 0; n < MESSAGES; n++) {
      if (!handle(view, at, at + ORDER.length)) throw new Error('the order was refused');
      at = at + ORDER.length === stream.length ? 0 : at + ORDER.length;
    }
  };
}

function framedAndValidated(): () => void {
  const view = new MessageView();
  const reader = new FrameReader({ maxMessageBytes: 8192, maxFields: 512 });
  let seen = 0;
  const onFrame = (buffer: Uint8Array, start: number, end: number): void => {
    if (view.index(buffer, start, end) && validate(view, dictionary, options) === undefined) seen++;
  };
  return () => {
    seen = 0;
    while (seen < MESSAGES) reader.push(stream, onFrame);
  };
}

/** An application reads seven fields of an indexed order. */
function overIndexed(read: (view: MessageView) => number): () => void {
  const view = new MessageView();
  view.index(ORDER, 0, ORDER.length);
  return () => {
    let length = 0;
    for (let n = 0; n < MESSAGES; n++) length += read(view);
    if (length !== MESSAGES * 40) throw new Error(`read ${length}`);
  };
}

function readBare(view: MessageView): number {
  const { length } = `${view.string(11)}${view.string(55)}${view.string(54)}${view.string(38)}${view.string(40)}`;
  return length + (view.string(15)?.length ?? 0) + (view.string(58)?.length ?? 0);
}

function readByTags(): (view: MessageView) => number {
  const Tag = tags;
  return (view) => {
    const order = `${view.string(Tag.ClOrdID)}${view.string(Tag.Symbol)}${view.string(Tag.Side)}`;
    const { length } = `${order}${view.string(Tag.OrderQty)}${view.string(Tag.OrdType)}`;
    return length + (view.string(Tag.Currency)?.length ?? 0) + (view.string(Tag.Text)?.length ?? 0);
  };
}

function readTyped(): (view: MessageView) => number {
  const { readNewOrderSingle } = typed;
  return (view) => {
    const order = readNewOrderSingle(view);
    const { length } = `${order.ClOrdID}${order.Symbol}${order.Side}${order.OrderQty}${order.OrdType}`;
    return length + (order.Currency?.length ?? 0) + (order.Text?.length ?? 0);
  };
}

function builtBare(): () => void {
  return () => {
    for (let n = 0; n < MESSAGES; n++) {
      const fields: Field[] = [
        [11, 'REQ-000123'],
        [55, 'EUR/USD'],
        [54, '1'],
        [60, '20261120-08:01:10.000'],
        [38, '250000'],
        [40, 'D'],
        [15, 'EUR'],
        [58, 'Invoice 8841'],
      ];
      encodeMessage(out, 0, desk, 'D', n + 1, time + (n & 1023), fields);
    }
  };
}

function builtTyped(): () => void {
  return () => {
    for (let n = 0; n < MESSAGES; n++) {
      const fields = typed.buildNewOrderSingle({
        ClOrdID: 'REQ-000123',
        Symbol: 'EUR/USD',
        Side: '1',
        TransactTime: '20261120-08:01:10.000',
        OrderQty: '250000',
        OrdType: 'D',
        Currency: 'EUR',
        Text: 'Invoice 8841',
      });
      encodeMessage(out, 0, desk, 'D', n + 1, time + (n & 1023), fields);
    }
  };
}

type Order = Readonly<Record<string, string | undefined>>;

/** What `node-quickfix-ts generate` writes for the order: its constants, its builder and its reader. */
async function generatedModules(): Promise<{
  tags: Readonly<Record<string, number>>;
  typed: { buildNewOrderSingle(order: Order): Field[]; readNewOrderSingle(view: MessageView): Order };
}> {
  const cli = fileURLToPath(new URL('../engine/node-quickfix-ts/bin/node-quickfix-ts.mjs', import.meta.url));
  const dictionary = fileURLToPath(new URL('../fix-config/FIX44-ratewire.xml', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [cli, 'generate', dictionary, '--out', generated], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { tags: await import(`${generated}tags.ts`), typed: await import(`${generated}messages/NewOrderSingle.ts`) };
}

function encodedOrders(): () => void {
  const fields = reportFields();
  return () => {
    for (let n = 0; n < MESSAGES; n++) encodeMessage(out, 0, desk, '8', n + 1, time + (n & 1023), fields);
  };
}

function joinedOrders(): () => void {
  const fields = reportFields();
  return () => {
    for (let n = 0; n < MESSAGES; n++) {
      const body = fields.map(([tag, value]) => `${tag}=${value}\x01`).join('');
      out.set(joined('8', n + 1, time + (n & 1023), body), 0);
    }
  };
}

function publishedPrices(): () => void {
  const type = publishedType('W');
  const header = headerTemplate(desk);
  const prefix = new SharedBody();
  prefix.field(262, 'MD1');
  const body = new SharedBody();
  body.text(PRICE.replaceAll('|', '\x01'));
  return () => {
    let at = 0;
    for (let n = 0; n < MESSAGES; n++) {
      if (at > 60_000) at = 0;
      // A new millisecond for every tenth message, as with ten desks and a tick each millisecond.
      at = encodePublished(out, at, type, header, n + 100_000, sendingTime(time + ((n / 10) | 0)), prefix, body);
    }
  };
}

function joinedPrices(): () => void {
  const fields = PRICE.slice(0, -1).split('|');
  return () => {
    let at = 0;
    for (let n = 0; n < MESSAGES; n++) {
      if (at > 60_000) at = 0;
      const bytes = joined('W', n + 100_000, time + ((n / 10) | 0), `262=MD1\x01${fields.join('\x01')}\x01`);
      out.set(bytes, at);
      at += bytes.length;
    }
  };
}

/** The straightforward way to write: strings, then bytes, then their sum. */
function joined(msgType: string, seqNum: number, ms: number, body: string): Uint8Array {
  const iso = new Date(ms).toISOString();
  const stamp = `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 23)}`;
  const rest = `35=${msgType}\x0134=${seqNum}\x0149=FXENGINE\x0152=${stamp}\x0156=DESK1\x01${body}`;
  const text = `8=FIX.4.4\x019=${rest.length}\x01${rest}`;
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return Buffer.from(`${text}10=${String(sum & 255).padStart(3, '0')}\x01`, 'latin1');
}

/** The straightforward way to read: strings, split twice, into a map; length and checksum are not checked. */
function splitMessage(at: number, end: number): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of stream.toString('latin1', at, end).split('\x01')) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals), field.slice(equals + 1));
  }
  return fields;
}

function isValidPlain(fields: Map<string, string>): boolean {
  for (const [tag, value] of fields) if (value === '' || !(Number(tag) > 0)) return false;
  return ['35', '34', '49', '52', '56', '11', '54', '60', '40', '10'].every((tag) => fields.has(tag));
}

function reportFields(): readonly Field[] {
  const text = ORDER.toString('latin1');
  return text
    .slice(text.indexOf('\x0111=') + 1, text.indexOf('\x0110='))
    .split('\x01')
    .map((field): Field => [Number(field.slice(0, field.indexOf('='))), field.slice(field.indexOf('=') + 1)]);
}

function message(text: string): Buffer {
  const body = text.replaceAll('|', '\x01');
  const head = `8=FIX.4.4\x019=${body.length}\x01${body}`;
  const sum = Buffer.from(head, 'latin1').reduce((total, byte) => total + byte, 0);
  return Buffer.from(`${head}10=${String(sum % 256).padStart(3, '0')}\x01`, 'latin1');
}
