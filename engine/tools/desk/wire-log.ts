/** Every FIX message between desk and engine as a line for people. */

import { connect, createServer, type Socket } from 'node:net';
import { type Dictionary, FrameReader, MessageView } from 'node-quickfix-ts';
import { messageLine, type Names, namesOf } from '../../cli/sessions/message-line.js';

const LIMITS = { maxMessageBytes: 1 << 20, maxFields: 20_000 };

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
  const names = namesOf(dictionary);
  const server = createServer({ noDelay: true }, (desk) => {
    const engine = connect({ host, port, noDelay: true });
    tap(desk, engine, '>', names, print);
    tap(engine, desk, '<', names, print);
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

function tap(from: Socket, to: Socket, direction: '<' | '>', names: Names, print: (line: string) => void): void {
  const frames = new FrameReader(LIMITS);
  const view = new MessageView();
  from.on('data', (chunk) => {
    frames.push(chunk, (buffer, start, end) => {
      if (view.index(buffer, start, end) && !view.unreadable) print(messageLine(direction, view, names));
    });
  });
  from.pipe(to);
  from.on('error', () => to.destroy());
}
