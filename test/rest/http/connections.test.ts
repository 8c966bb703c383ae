/** What connections may cost: their peers are not authenticated. */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { page } from '../../../rest/openapi/pages.js';
import { application, type ConnectionLimits, listen, type RestServer } from '../../../rest/server.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { until } from '../../support/until.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const ASKED = 'GET /nowhere HTTP/1.1\r\nHost: ratewire\r\n\r\n';
/** More than the kernels on both sides buffer of an unread answer. */
const BIG = 32 * 1024 * 1024;

let opened: TestStore;
let door: RestDoor;
const sockets: Socket[] = [];
const servers: RestServer[] = [];
beforeAll(async () => {
  opened = await startTestStore();
  door = await openRestDoor(opened.store);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await server.stop();
  await door.stop();
  await opened.stop();
});

async function listening(limits: Partial<ConnectionLimits>): Promise<number> {
  const server = await listen(application(door.door), { host: '127.0.0.1', port: 0, limits });
  servers.push(server);
  return server.port;
}

interface Caller {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
  /** Resolves when it has been answered so often. */
  answered(times: number): Promise<void>;
}

function call(port: number): Caller {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  const caller: Caller = {
    socket,
    received: '',
    isClosed: false,
    answered: (times) => until(() => caller.received.split('HTTP/1.1 404').length > times),
  };
  socket.on('data', (chunk) => {
    caller.received += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    caller.isClosed = true;
  });
  return caller;
}

async function asks(port: number): Promise<Caller> {
  const caller = call(port);
  caller.socket.write(ASKED);
  await caller.answered(1);
  return caller;
}

test('a connection above the limit closes the one that has been idle for longest', async () => {
  const port = await listening({ connections: 3 });
  const [first, second, third] = [await asks(port), await asks(port), await asks(port)];
  first.socket.write(ASKED);
  await first.answered(2);

  const fourth = await asks(port);
  await until(() => second.isClosed);
  expect([first, third, fourth].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);

  // A closed connection makes room, too.
  third.socket.destroy();
  await until(() => third.isClosed);
  await asks(port);
  first.socket.write(ASKED);
  await first.answered(3);
});

test('closes a connection whose peer does not read the answer', async () => {
  let served: Socket | undefined;
  const app = application(door.door);
  const direct: typeof app.direct = (request) => {
    served = request.socket;
    return app.direct?.(request);
  };
  const server = await listen({ ...app, direct }, { host: '127.0.0.1', port: 0, limits: { stalledMs: 300 } });
  servers.push(server);
  const caller = call(server.port);
  caller.socket.pause();
  caller.socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: ratewire\r\n\r\n'.repeat(40));
  await until(() => served?.destroyed === true);
  // What has come by then is there to be read; behind it the connection is closed.
  caller.socket.resume();
  await until(() => caller.isClosed);
  expect(caller.received.length).toBeLessThan(40 * 1_000_000);
});

test('buffers little of an unread page, and sends a reader all of it', async () => {
  const content = Buffer.alloc(BIG, 'ratewire ');
  const big = page('/big', 'js', () => content);
  const answers: ServerResponse[] = [];
  const server = createServer((request, response) => {
    answers.push(response);
    void big.answer(request as Parameters<typeof big.answer>[0], response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const caller = call(port);
    caller.socket.pause();
    caller.socket.write('GET /big HTTP/1.1\r\nHost: ratewire\r\nConnection: close\r\n\r\n');
    await until(() => answers[0]?.writableNeedDrain === true);
    expect(answers[0]!.writableLength).toBeLessThan(256 * 1024);

    caller.socket.resume();
    await until(() => caller.isClosed);
    expect(caller.received.length - caller.received.indexOf('\r\n\r\n') - 4).toBe(BIG);

    // Who goes away in the middle is no fault.
    const gone = call(port);
    gone.socket.pause();
    gone.socket.write('GET /big HTTP/1.1\r\nHost: ratewire\r\n\r\n');
    await until(() => answers[1]?.writableNeedDrain === true);
    gone.socket.destroy();
    await until(() => answers[1]!.closed);
  } finally {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});
