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
