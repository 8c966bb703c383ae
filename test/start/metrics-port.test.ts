import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Metrics, serveMetrics } from '../../engine/metrics.js';

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

test('scrapers who do not take their answers are let go, and keep no other out', async () => {
  const metrics = new Metrics('engine');
  metrics.gauge('ratewire_long', 'x'.repeat(1_000_000), () => 1);
  const http = await serveMetrics(metrics, '127.0.0.1', 'METRICS_PORT', 0, () => []);
  const sockets = Array.from({ length: 64 }, () => connect({ port: http.port, host: '127.0.0.1' }));
  try {
    // Of what comes each takes the first bytes, and then no more.
    const answered = sockets.map((socket) => {
      socket.on('error', () => undefined);
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
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
        asked.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      });
    const until = performance.now() + 15_000;
    while (!(await health()).startsWith('HTTP/1.1 200') && performance.now() < until) await pause(100);
    expect(performance.now()).toBeLessThan(until);
  } finally {
    for (const socket of sockets) socket.destroy();
    await http.stop();
  }
});
