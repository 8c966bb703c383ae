/** Requests and responses that are Express's own from the start: it gives none of them another prototype. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { lightMessages } from '../../../rest/server.js';

test("have all members of Express's prototypes, so that Express replaces none", async () => {
  const app = express();
  app.get('/there/:word', ({ path, params, query, app: own }, response) => {
    response.json({ path, word: params.word, asked: query.asked, own: own === app });
  });
  const changed: boolean[] = [];
  const server = createServer(
    lightMessages(app, () => false),
    (request, response) => {
      const set = vi.spyOn(Object, 'setPrototypeOf').mockImplementation((of, to) => {
        changed.push(Object.getPrototypeOf(of) !== to);
        return of;
      });
      try {
        app(request, response);
      } finally {
        set.mockRestore();
      }
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/there/a%20word?asked=yes`);
    expect(await answer.json()).toEqual({ path: '/there/a%20word', word: 'a word', asked: 'yes', own: true });
    // The request and the response.
    expect(changed).toEqual([false, false]);
  } finally {
    server.close();
  }
});
