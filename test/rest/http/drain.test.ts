/** A sidecar that stops answers what it was asked, and says that its connections take no more. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lightMessages, listen, type RestServer } from '../../../rest/server.js';
import { until } from '../../support/until.js';

let server: RestServer;
let answer: () => void = () => {};
let asked = 0;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  const app = express();
  app.get('/quick', (_request, response) => void response.send('quick'));
  app.get('/slow', (_request, response) => {
    asked++;
    answer = () => void response.send('slow');
  });
  server = await listen({ app, messages: lightMessages(app, () => false) }, { host: '127.0.0.1', port: 0 });
});
afterAll(() => agent.destroy());

const ask = async (path: string): Promise<IncomingMessage> => {
  const [response] = await once(get({ port: server.port, path, agent }), 'response');
  response.resume();
  return response as IncomingMessage;
};

test('a request under way is answered with Connection: close, an idle connection is closed, and a new one is not taken', async () => {
  expect((await ask('/quick')).headers.connection).toBe('keep-alive');
  const idle = connect(server.port, '127.0.0.1');
  await once(idle, 'connect');
  idle.write('GET /quick HTTP/1.1\r\nHost: here\r\n\r\n');
  await once(idle, 'data');
  const slow = ask('/slow');
  await until(() => asked === 1);

  const stopped = server.stop();
  await once(idle, 'close');
  const [error] = await once(get({ port: server.port, path: '/quick', agent: new Agent() }), 'error');
  expect(error.code).toBe('ECONNREFUSED');
  answer();
  const { statusCode, headers } = await slow;
  expect([statusCode, headers.connection]).toEqual([200, 'close']);
  await stopped;
});
