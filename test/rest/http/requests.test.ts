import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { exchangeBytes } from '../openapi/generated/wire.js';
import { openRestDoor } from '../rest-door.js';
import { CHUNKED, type EchoDoor, echoRoute, JSON_TYPE, openEchoDoor } from './echo-door.js';

let door: EchoDoor;

beforeAll(async () => {
  door = await openEchoDoor();
});
afterAll(() => door.stop());

describe('the order of checks', () => {
  const unknown = { authorization: 'Bearer unknown' };
  test.each<[string, string, string, Record<string, string>, string]>([
    ['a path comes before its body', '/nothing', ' '.repeat(65_537), JSON_TYPE, 'NOT_FOUND'],
    ['size before the token', '/forms', ' '.repeat(65_537), { ...JSON_TYPE, ...unknown }, 'BODY_TOO_LARGE'],
    ['size in chunks too', '/forms', ' '.repeat(65_537), { ...JSON_TYPE, ...CHUNKED, ...unknown }, 'BODY_TOO_LARGE'],
    [
      'content-type before the token',
      '/forms',
      '{}',
      { 'content-type': 'text/json', ...unknown },
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['none is another content-type', '/forms', '{}', CHUNKED, 'UNSUPPORTED_CONTENT_TYPE'],
    [
      'so is one that is packed',
      '/forms',
      '{}',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    [
      'so is one that states another charset',
      '/forms',
      '{}',
      { 'content-type': 'application/json; charset=utf-16' },
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['the token before the syntax', '/forms', '{', { ...JSON_TYPE, ...unknown }, 'TOKEN_INVALID'],
    ['the syntax before the fields', '/named', '{', JSON_TYPE, 'VALIDATION_FAILED'],
  ])('%s', async (_what, path, text, headers, code) => {
    expect((await door.post(text, headers, path)).body.code).toBe(code);
    expect(door.seen()).toBe('not-asked');
  });

  test('a body in UTF-8, and not packed, may say so', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'us-ascii'])
      expect((await door.post('{}', { 'content-type': `application/json; charset=${charset}` })).status).toBe(200);
    for (const encoding of ['identity', ' Identity ', ''])
      expect((await door.post('{}', { ...JSON_TYPE, 'content-encoding': encoding })).status).toBe(200);
  });

  test('two Host headers are refused, also where they agree', async () => {
    const said = await exchangeBytes(
      door.port,
      Buffer.from('GET /rate/GBP HTTP/1.1\r\nhost: x\r\nHost: x\r\nconnection: close\r\n\r\n'),
    );
    expect(said.status).toBe(400);
  });

  test('right and rate limit come before the syntax', async () => {
    const limited = await openRestDoor(
      door.opened.store,
      { reads: 1 },
      { getRate: echoRoute('post', '/x', { limit: 'reads' }) },
    );
    const ask = (token: string) => limited.ask('POST', '/x', { ...JSON_TYPE, authorization: token }, '{');
    const { token } = await door.opened.store.tokens.issue('acme', 'CK_X', ['read']);
    expect((await ask(`Bearer ${token}`)).body.code).toBe('NOT_ENTITLED');
    expect((await ask(door.authorization)).body.code).toBe('VALIDATION_FAILED');
    expect((await ask(door.authorization)).body.code).toBe('RATE_LIMITED');
    await limited.stop();
  });
});

describe('bytes', () => {
  test('64 KiB are taken, at once or in chunks', async () => {
    const text = `{"t":"${'x'.repeat(65_536 - 8)}"}`;
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, ...CHUNKED }]) {
      expect((await door.post(text, headers)).status).toBe(200);
      expect(door.seen()).toEqual(JSON.parse(text));
    }
  });

  test('in many pieces, a letter cut in two', async () => {
    const bytes = Buffer.from('{"t":"é","n":1.5}');
    const said = await exchange('POST /forms HTTP/1.1', { ...JSON_TYPE, 'content-length': String(bytes.length) }, [
      bytes.subarray(0, 7),
      bytes.subarray(7, 12),
      bytes.subarray(12),
    ]);
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(door.seen()).toEqual({ t: 'é', n: 1.5 });
  });

  test('a byte at a time: no more than some pieces are kept', async () => {
    const joined = vi.spyOn(Buffer, 'concat');
    onTestFinished(() => joined.mockRestore());
    const text = `{"t":"${'x'.repeat(2_000)}"}`;
    const pieces = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    const said = await exchange('POST /forms HTTP/1.1', { ...JSON_TYPE, ...CHUNKED }, [`${pieces}0\r\n\r\n`]);
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(door.seen()).toEqual(JSON.parse(text));
    expect(Math.max(...joined.mock.calls.map(([list]) => list.length))).toBe(256);
  });

  test('none at all is no body, whatever the content-type', async () => {
    for (const headers of [{}, { 'content-type': 'text/xml' }, { 'content-type': 'text/xml', ...CHUNKED }]) {
      expect((await door.post('', headers)).status).toBe(200);
      expect(door.seen()).toBeUndefined();
    }
  });

  test('fewer than stated: answered by 408 within the time limit, and nothing is executed', async () => {
    const half = exchange('POST /forms HTTP/1.1', { ...JSON_TYPE, 'content-length': '100' }, ['{"n":1}']);
    const endless = exchange('POST /forms HTTP/1.1', { ...JSON_TYPE, ...CHUNKED }, ['7\r\n{"n":1}\r\n']);
    for (const said of await Promise.all([half, endless])) {
      expect(said).toMatch(/^HTTP\/1\.1 408 /);
      expect(said).toContain('within 5 seconds');
    }
    expect(door.seen()).toBe('not-asked');
  });

  test('executes nothing of a body that breaks off, and serves the next request', async () => {
    const socket = connect(door.port, '127.0.0.1');
    socket.write(head('POST /forms HTTP/1.1', { ...JSON_TYPE, 'content-length': '100' }));
    socket.write('{"n":1}', () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await door.post('{"n":2}')).status).toBe(200);
    expect(door.seen()).toEqual({ n: 2 });
  });
});

describe('routes', () => {
  test('several may lead to one operation, and 405 names all methods of a path', async () => {
    expect((await door.ask('GET', '/rate/mine', { authorization: door.authorization })).body).toEqual({ done: true });
    expect((await door.post('{}', JSON_TYPE, '/rate/mine')).body).toEqual({ done: true });
    const { status, headers } = await door.ask('DELETE', '/rate/mine');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await door.ask('POST', '/rate/GBP')).headers.allow).toBe('GET, HEAD');
  });

  test('a parameter of the path is the operation’s matter, but for its percent-encoding', async () => {
    const ask = (path: string) => door.ask('GET', path, { authorization: door.authorization });
    expect((await ask('/rate/GBP')).body).toEqual({ buy: 'GBP' });
    expect((await ask('/rate/GBP?x=/y')).body).toEqual({ buy: 'GBP' });
    expect((await ask('/rate/%47BP')).body).toEqual({ buy: 'GBP' });
    expect((await ask('/rate/pounds')).body).toMatchObject({
      errors: [{ field: 'currency', code: 'incorrect_format' }],
    });
    expect((await ask('/rate/%ff')).body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect((await ask('/rate/')).status).toBe(404);
    expect((await ask('/rate//GBP')).status).toBe(404);
    expect((await door.ask('HEAD', '/rate/GBP', { authorization: door.authorization })).status).toBe(200);
    expect((await ask('/rate/GBP/x')).status).toBe(404);
  });

  test('an address with the server’s name in front is its path; one that is no URL is refused', async () => {
    const ask = (target: string) => exchangeBytes(door.port, Buffer.from(head(`GET ${target} HTTP/1.1`, {})));
    // The operation behind it needs a price of a moment ago.
    await door.post('{}');
    expect((await ask('http://other.example/rate/GBP')).text).toBe('{"buy":"GBP"}');
    for (const target of ['http://[/rate/GBP', 'http://x:99999/rate/GBP', 'ftp://x/rate/GBP']) {
      const { status, headers, text } = await ask(target);
      expect([target, status, headers['content-type']]).toEqual([
        target,
        400,
        'application/problem+json; charset=utf-8',
      ]);
      expect([JSON.parse(text).code, headers['cache-control']]).toEqual(['VALIDATION_FAILED', 'no-store']);
    }
  });

  test('headers of the answer’s own', async () => {
    const { headers } = await door.post('{}');
    expect([headers['idempotent-replayed'], headers['x-sold'], headers['cache-control']]).toEqual([
      'true',
      'EUR',
      'no-store',
    ]);
    expect((await door.post('{}', JSON_TYPE, '/rate/mine')).headers['idempotent-replayed']).toBeUndefined();
  });
});

function head(line: string, headers: Record<string, string>): string {
  const all = { host: 'x', connection: 'close', authorization: door.authorization, ...headers };
  return `${line}\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

/** What the server says until it closes. Each piece is sent when the one before has left. */
function exchange(
  line: string,
  headers: Record<string, string>,
  pieces: readonly (string | Buffer)[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(door.port, '127.0.0.1', async () => {
      for (const piece of [head(line, headers), ...pieces]) {
        await new Promise((sent) => socket.write(piece, sent));
        await new Promise((turn) => setTimeout(turn, 20));
      }
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
