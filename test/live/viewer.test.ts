/** A page that does not take what it is sent: nothing piles up for it, and at last it is closed. Real sockets, of which one does not read. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { PageCaller } from '../../rest/live/source.js';
import { type LiveCounts, Viewer } from '../../rest/live/viewer.js';
import { until } from '../support/until.js';

const CALLER: PageCaller = {
  ...{ clientId: 'acme', keyId: 'CK_X', expiresAtMs: 1, tokenHash: 'x', address: '127.0.0.1' },
  sees: { operator: false, rates: true, blotter: true },
};
const LIMITS = { backlogBytes: 65_536, behindMs: 200 };
const MESSAGE = Buffer.alloc(50_000, 'x');

let server: WebSocketServer;
let page: WebSocket;
let viewer: Viewer;
let counts: LiveCounts;
let received: number;
beforeEach(async () => {
  counts = { frames: 0, bytes: 0, conflated: 0, refused: 0 };
  received = 0;
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  page.on('message', () => received++);
  const [[socket]] = (await Promise.all([connected, once(page, 'open')])) as [[WebSocket], unknown];
  viewer = new Viewer(socket, CALLER, counts, LIMITS);
});
afterEach(async () => {
  page.terminate();
  for (const socket of server.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** Until the sockets between have taken all that they take. */
function stuff(): void {
  for (let i = 0; i < 2_000 && !viewer.isBehind; i++) viewer.send(MESSAGE);
  expect(viewer.isBehind).toBe(true);
}

test('sends every message to a page that keeps reading', async () => {
  for (let i = 0; i < 200; i++) {
    viewer.send(Buffer.from('{}'));
    await until(() => received === i + 1);
  }
  expect(counts).toMatchObject({ frames: 200, bytes: 400, conflated: 0 });
  expect(viewer.isLost).toBe(false);
});

test('buffers at most one message above the limit for a page that does not read', async () => {
  page.pause();
  stuff();
  const { frames } = counts;
  for (let i = 0; i < 10_000; i++) viewer.send(MESSAGE);
  expect(counts.frames).toBe(frames);
  expect(counts.conflated).toBeGreaterThan(10_000);
  expect(viewer.socket.bufferedAmount).toBeLessThan(LIMITS.backlogBytes + 2 * MESSAGE.length);
  expect(viewer.hasRoom).toBe(false);
});

test('sends the current state to a page that reads again, then the messages', async () => {
  page.pause();
  stuff();
  page.resume();
  await until(() => viewer.hasRoom && received === counts.frames);
  viewer.send(Buffer.from('{}'));
  expect(received).toBe(counts.frames);
  viewer.caughtUp();
  viewer.send(Buffer.from('{}'));
  await until(() => received === counts.frames);
  expect(viewer.isLost).toBe(false);
});

test('closes a page that stays behind, without waiting for it', async () => {
  page.pause();
  stuff();
  expect(viewer.isLost).toBe(false);
  await until(() => viewer.isLost);
  viewer.close(1013, 'The page does not keep up');
  await until(() => viewer.socket.readyState === viewer.socket.CLOSED);
});
