/** A relay in front of a store whose answers to TIME are ahead of its clock, or behind, by as much as a test wants. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TurnedClock {
  /** The URL of the relay. */
  readonly redisUrl: string;
  /** Of all answers from now on. */
  by(seconds: number): void;
  stop(): void;
}

const TIME = /\*2\r\n\$10\r\n(\d{10})\r\n(?=\$\d\r\n\d{1,6}\r\n$)/;

export async function turnedClock(redisUrl: string): Promise<TurnedClock> {
  const to = new URL(redisUrl);
  const { hostname, port } = to;
  let ahead = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const store = connect(Number(port), hostname);
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
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
