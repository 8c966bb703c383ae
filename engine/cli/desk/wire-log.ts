/** Every FIX message between desk and engine as a line for people: names of fields and messages, secrets replaced. */
import { connect, createServer, type Socket } from 'node:net';
import { type Dictionary, FrameReader, MessageView, redact } from 'node-quickfix-ts';

const LIMITS = { maxMessageBytes: 1 << 20, maxFields: 20_000 };
/** BeginString(8), BodyLength(9), MsgType(35), CheckSum(10): said in other words, or of no interest. */
const PASSED_OVER = new Set([8, 9, 10, 35]);

/** `< MarketDataSnapshotFullRefresh MsgSeqNum(34)=3 ... Symbol(55)=EUR/USD ...` */
function messageLine(direction: '<' | '>', message: MessageView, dictionary: Dictionary): string {
  const fields: string[] = [];
  for (let i = 0; i < message.count; i++) {
    const tag = message.tagAt(i);
    if (PASSED_OVER.has(tag)) continue;
    const value = redact(`${tag}=${message.stringAt(i) ?? ''}`).slice(String(tag).length + 1);
    fields.push(`${dictionary.fieldName(tag) ?? ''}(${tag})=${value.replace(/[^\x20-\x7e]/g, '?')}`);
  }
  return `${direction} ${dictionary.rules(message.msgType)?.name ?? message.msgType} ${fields.join(' ')}`;
}

/**
 * A relay on a loopback port that passes bytes on unchanged and prints the messages in both directions, so that what is shown
 * is what is on the wire. Resolves with its port.
 */
export function openWireLog(
  host: string,
  port: number,
  dictionary: Dictionary,
  print: (line: string) => void,
): Promise<number> {
  const server = createServer({ noDelay: true }, (desk) => {
    const engine = connect({ host, port, noDelay: true });
    tap(desk, engine, '>', dictionary, print);
    tap(engine, desk, '<', dictionary, print);
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function tap(
  from: Socket,
  to: Socket,
  direction: '<' | '>',
  dictionary: Dictionary,
  print: (line: string) => void,
): void {
  const frames = new FrameReader(LIMITS);
  const view = new MessageView();
  from.on('data', (chunk) => {
    frames.push(chunk, (buffer, start, end) => {
      if (view.index(buffer, start, end)) print(messageLine(direction, view, dictionary));
    });
  });
  from.pipe(to);
  from.on('error', () => to.destroy());
}
