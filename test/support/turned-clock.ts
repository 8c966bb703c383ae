/** A relay in front of a store: its answers to TIME differ from the server's by as much as a test wants, and it may lead to another server. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TurnedClock {
  /** The URL of the relay. */
  readonly redisUrl: string;
  /** Of all answers from now on. */
  by(seconds: number): void;
  /** New connections lead to the server at this port; those that are open stay. */
  to(port: number): void;
  stop(): void;
}

const TIME = /\*2\r\n\$10\r\n(\d{10})\r\n(?=\$\d\r\n\d{1,6}\r\n$)/;

export async function turnedClock(redisUrl: string): Promise<TurnedClock> {
  const to = new URL(redisUrl);
  const { hostname } = to;
  let port = Number(to.port);
  let ahead = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const store = connect(port, hostname);
    socket.pipe(store);
    store.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      const turned = text.replace(TIME, (_, seconds) => `*2\r\n$10\r\n${Number(seconds) + ahead}\r\n`);
      socket.write(turned === text ? bytes : Buffer.from(turned, 'latin1'));
    });
    for (const [one, other] of [
      [socket, store],
      [store, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  to.port = String((server.address() as AddressInfo).port);
  return {
    redisUrl: to.href,
    by(seconds) {
      ahead = seconds;
    },
    to(other) {
      port = other;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
