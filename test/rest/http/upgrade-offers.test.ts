/** Some clients offer another protocol with every request: that of the live page is the only one that is taken. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveSource } from '../../../rest/features/live-page/live-source.js';
import { Live } from '../../../rest/live/live.js';
import { application, listen, type RestServer } from '../../../rest/server.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { until } from '../../support/until.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

let store: TestStore;
let plain: RestDoor;
let live: Live;
let server: RestServer;
beforeAll(async () => {
  store = await startTestStore();
  plain = await openRestDoor(store.store);
  live = new Live(liveSource(plain.services));
  server = await listen(application({ ...plain.door, live }), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  live.stop();
  await server.stop();
  await plain.stop();
  await store.stop();
});

// What java.net.http.HttpClient sends without TLS by default.
const OFFER = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABk' };

const ask = (method: string, path: string, headers: object, body?: string) =>
  new Promise<[status: number | undefined, code: unknown, requestId: boolean]>((resolve, reject) => {
    const { port } = server;
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve([answer.statusCode, text && JSON.parse(text).code, 'x-request-id' in answer.headers]),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

test.each([
  ['GET', '/api/v1/balance/all', undefined, 401, 'TOKEN_REQUIRED'],
  ['POST', '/api/v1/authentication', undefined, 401, 'BAD_CREDENTIALS'],
  ['POST', '/api/v1/bookfx/currency/create', '{"request_id":"R1"}', 401, 'TOKEN_REQUIRED'],
  ['GET', '/api/v1/nothing', undefined, 404, 'NOT_FOUND'],
  ['GET', '/live/streams', undefined, 404, 'NOT_FOUND'],
])('%s %s with an offer of HTTP/2 is answered as without', async (method, path, body, status, code) => {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  for (const offer of [{}, OFFER, { connection: 'upgrade', upgrade: 'websocket' }]) {
    expect(await ask(method, path, { ...json, ...offer }, body)).toEqual([status, code, true]);
  }
});

test('the connection serves further requests after an ignored offer', async () => {
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const offer = Object.entries({ host: 'x', ...OFFER }).map(([name, value]) => `${name}: ${value}\r\n`);
  const answered = () => text.split('HTTP/1.1 404 Not Found').length - 1;
  for (let i = 1; i <= 3; i++) {
    socket.write(`GET /api/v1/nothing HTTP/1.1\r\n${offer.join('')}\r\n`);
    await until(() => answered() === i);
  }
  socket.destroy();
});
