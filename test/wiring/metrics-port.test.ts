import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Metrics, serveMetrics } from '../../engine/wiring/metrics/metrics.js';

test('a flood of scrapes costs the loop of the ticks a few renderings, and every scraper is answered', async () => {
  const metrics = new Metrics('engine');
  let read = 0;
  metrics.gauge('ratewire_read', 'How often the metrics were read', () => ++read);
  const http = await serveMetrics(metrics, '127.0.0.1', 'METRICS_PORT', 0, () => []);
  const scrape = async () => (await fetch(`http://127.0.0.1:${http.port}/metrics`)).text();
  try {
    // Now and then: always new.
    expect(await scrape()).toContain('ratewire_read{program="engine"} 1');
    expect(await scrape()).toContain('ratewire_read{program="engine"} 2');

    const begun = performance.now();
    for (let i = 0; i < 20; i++) {
      const texts = await Promise.all(Array.from({ length: 20 }, scrape));
      for (const text of texts) expect(text).toContain('ratewire_read');
    }
    const allowed = 20 + ((performance.now() - begun) * 10) / 1_000;
    expect(read).toBeLessThanOrEqual(allowed + 1);
  } finally {
    await http.stop();
  }
});

test.each([
  [200, '127.0.0.1'],
  [200, '127.0.0.1:9464'],
  [200, '[::1]:9464'],
  [200, '10.20.0.31:9464'],
  [200, 'localhost:9464'],
  [200, 'LOCALHOST'],
  [200, 'engine-1.internal:9464'],
  [403, 'evil.example'],
  [403, 'evil.example:9464'],
  [403, 'localhost.evil.example'],
  [403, '127.0.0.1.evil.example'],
])('answers %d to Host %s', async (status, host) => {
  const names = ['engine-1.internal'];
  const http = await serveMetrics(new Metrics('engine'), '127.0.0.1', 'METRICS_PORT', 0, () => [], { names });
  try {
    for (const path of ['/metrics', '/health', '/ready']) {
      const asked = request({ host: '127.0.0.1', port: http.port, path, headers: { host }, agent: false }).end();
      const [response] = await once(asked, 'response');
      expect([path, response.statusCode]).toEqual([path, status]);
      response.resume();
    }
  } finally {
    await http.stop();
  }
});

test('scrapers who do not take their answers are let go, and keep no other out', async () => {
  const metrics = new Metrics('engine');
  metrics.gauge('ratewire_long', 'x'.repeat(1_000_000), () => 1);
  const http = await serveMetrics(metrics, '127.0.0.1', 'METRICS_PORT', 0, () => []);
  const sockets = Array.from({ length: 64 }, () => connect({ port: http.port, host: '127.0.0.1' }));
  try {
    // Of what comes each takes the first bytes, and then no more.
    const answered = sockets.map((socket) => {
      socket.on('error', () => undefined);
      socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20));
      return once(socket, 'readable');
    });
    await Promise.all(answered);
    const health = () =>
      new Promise<string>((resolve) => {
        let text = '';
        const asked = connect({ port: http.port, host: '127.0.0.1' });
        asked.on('data', (chunk) => {
          text += chunk;
        });
        asked.on('error', () => undefined).on('close', () => resolve(text));
        asked.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      });
    const until = performance.now() + 120_000;
    while (!(await health()).startsWith('HTTP/1.1 200') && performance.now() < until) await pause(100);
    expect(performance.now()).toBeLessThan(until);
  } finally {
    for (const socket of sockets) socket.destroy();
    await http.stop();
  }
});
