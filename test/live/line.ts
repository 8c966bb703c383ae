/** A line to a server that the test can cut: real sockets that end, and a port that accepts no connection until it is restored. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  readonly port: number;
  cut(): Promise<void>;
  /** Sockets stay, and nothing comes through them any more. */
  freeze(): void;
  /** Where another port is given, it leads there from now on. */
  mend(to?: number): Promise<void>;
  close(): Promise<void>;
}

export async function startLine(firstTo: number): Promise<Line> {
  let to = firstTo;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const mend = (other = to) => {
    to = other;
    return listen(port);
  };
  const freeze = () => {
    for (const socket of sockets) socket.pause();
  };
  return { port, cut, freeze, mend, close: async () => (server.listening ? cut() : undefined) };
}
