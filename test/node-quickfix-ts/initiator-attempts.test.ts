import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import {
  Acceptor,
  type Application,
  fileStoreFactory,
  Initiator,
  type InitiatorOptions,
  memoryStoreFactory,
  profile,
  type SessionEvent,
  type SessionStoreFactory,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test } from 'vitest';
import { writeCertificate } from '../support/certificate.js';
import { readDictionary } from './dictionaries.js';

const stops: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

type EventOf<K extends SessionEvent['kind']> = Extract<SessionEvent, { kind: K }>;

class Watched {
  readonly events: SessionEvent[] = [];
  readonly ends: string[] = [];
  readonly initiator: Initiator;

  constructor(options: Partial<InitiatorOptions> & Pick<InitiatorOptions, 'port'>) {
    this.initiator = new Initiator({
      host: '127.0.0.1',
      beginString: 'FIX.4.4',
      senderCompId: 'CLIENT',
      targetCompId: 'VENUE',
      heartBtInt: 30,
      store: memoryStoreFactory(),
      resetOnLogon: true,
      reconnect: { waitsMs: [5] },
      application: {
        onLogon() {},
        onMessage() {},
        onLogout: (_, reason) => void this.ends.push(reason),
        onEvent: (_, event) => void this.events.push(event),
      },
      ...options,
    });
    stops.push(() => this.initiator.stop());
    this.initiator.start();
  }

  of<K extends SessionEvent['kind']>(kind: K): EventOf<K>[] {
    return this.events.filter((event): event is EventOf<K> => event.kind === kind);
  }
  get states(): string[] {
    return this.of('state').map(({ detail }) => detail);
  }
  count(state: string): number {
    return this.states.filter((other) => other === state).length;
  }
}

/** An acceptor whose application does this at each logon. */
async function accepting(
  changes: Partial<Application> = {},
  port = 0,
): Promise<{ port: number; logons: () => number }> {
  let logons = 0;
  const acceptor = new Acceptor({
    port,
    dictionary: readDictionary(),
    store: memoryStoreFactory(),
    application: {
      authenticate: () => ({ accept: true, profile: profile({}), reply: [], context: undefined }),
      onMessage() {},
      onLogout() {},
      ...changes,
      onLogon(session, logon) {
        logons++;
        changes.onLogon?.(session, logon);
      },
    },
  });
  stops.push(() => acceptor.stop());
  return { port: (await acceptor.listen()).port, logons: () => logons };
}

/** A port where nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the back-off', () => {
  const growing = { firstMs: 4, maxMs: 100_000 };
  const grows = (waits: readonly EventOf<'waiting'>[]): void => {
    for (const [i, { ms }] of waits.slice(0, 5).entries()) {
      expect(ms).toBeGreaterThanOrEqual(Math.floor((4 * 2 ** i) / 2));
      expect(ms).toBeLessThanOrEqual(4 * 2 ** i);
    }
  };

  test('grows while each session ends at once', async () => {
    const { port } = await accepting({ onLogon: (session) => session.logout('not now') });
    const watched = new Watched({ port, reconnect: growing });
    await expect.poll(() => watched.of('waiting').length).toBeGreaterThanOrEqual(5);
    grows(watched.of('waiting'));
    expect(watched.ends[0]).toBe('logout by the peer: not now');
  });

  test('grows while each Logon(A) is refused', async () => {
    const { port } = await accepting({ authenticate: () => ({ accept: false, text: 'No', closeAfterMs: 0 }) });
    const watched = new Watched({ port, reconnect: growing });
    await expect.poll(() => watched.of('waiting').length).toBeGreaterThanOrEqual(5);
    grows(watched.of('waiting'));
  });

  test('begins anew after a session that was up for ten seconds', async () => {
    let elapsed = 0;
    const sessions: { logout(text: string): void }[] = [];
    const { port } = await accepting({ onLogon: (session) => void sessions.push(session) });
    const watched = new Watched({ port, reconnect: growing, elapsed: () => elapsed });
    for (const upForMs of [0, 9_999, 10_000, 0]) {
      const waits = watched.of('waiting').length;
      await expect.poll(() => watched.initiator.session?.loggedOn).toBe(true);
      elapsed += upForMs;
      sessions.at(-1)!.logout('enough');
      await expect.poll(() => watched.of('waiting').length).toBe(waits + 1);
    }
    // The third of them was the first again; half is taken off at random.
    const [, second, third, fourth] = watched.of('waiting').map(({ ms }) => ms);
    expect(second).toBeGreaterThanOrEqual(4);
    expect(third).toBeLessThanOrEqual(4);
    expect(fourth).toBeGreaterThanOrEqual(4);
  });
});

describe('the schedule', () => {
  test('no attempt while it is closed, and one at the opening', async () => {
    let isOpen = false;
    let asked = 0;
    const schedule = {
      isOpen: () => {
        asked++;
        return isOpen;
      },
      periodStart: () => 0,
    };
    const { port, logons } = await accepting();
    const watched = new Watched({ port, profile: profile({ schedule }) });
    await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
    expect([watched.states, watched.initiator.state, logons()]).toEqual([['closed'], 'closed', 0]);
    isOpen = true;
    await expect.poll(() => watched.initiator.state).toBe('up');
    expect(watched.states).toEqual(['closed', 'connecting', 'logging-on', 'up']);
    isOpen = false;
    await expect.poll(() => watched.initiator.state).toBe('closed');
    expect([watched.ends, logons()]).toEqual([['SESSION_END'], 1]);
    expect(watched.states.slice(4)).toEqual(['logging-out', 'ended', 'waiting', 'closed']);
  });
});

describe('a connection that fails is an event with its cause', () => {
  test('refused', async () => {
    const port = await freePort();
    const watched = new Watched({ port });
    await expect.poll(() => watched.of('connection-failed').length).toBeGreaterThan(1);
    expect(watched.of('connection-failed')[0]).toMatchObject({
      detail: 'refused',
      host: '127.0.0.1',
      port,
      code: 'ECONNREFUSED',
    });
    expect(watched.ends).toEqual([]);
  });

  test('a name that does not exist', async () => {
    const watched = new Watched({ host: 'venue.invalid', port: 5200 });
    await expect.poll(() => watched.of('connection-failed').length).toBeGreaterThan(0);
    expect(watched.of('connection-failed')[0]!.detail).toBe('dns');
  });

  test('closed by the peer before the Logon(A) is answered: the reason of onLogout', async () => {
    const server = createServer((socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => server.close());
    const watched = new Watched({ port: (server.address() as { port: number }).port });
    await expect.poll(() => watched.ends.length + watched.of('connection-failed').length).toBeGreaterThan(1);
    const [event] = watched.of('connection-failed');
    expect([event?.detail, watched.ends[0] ?? 'disconnected (ECONNRESET)']).toEqual([
      'reset',
      'disconnected (ECONNRESET)',
    ]);
  });

  test('a certificate that is not trusted', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fix-tls-'));
    stops.push(() => rmSync(folder, { recursive: true }));
    const { certificate, key } = await writeCertificate(folder);
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => server.close());
    const watched = new Watched({ port: (server.address() as { port: number }).port, tls: {} });
    await expect.poll(() => watched.of('connection-failed').length).toBeGreaterThan(0);
    expect(watched.of('connection-failed')[0]).toMatchObject({
      detail: 'certificate',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

describe('several addresses', () => {
  test('the next one is tried at once, the wait is behind the last, and a good session begins at the first again', async () => {
    let elapsed = 0;
    const dead = await freePort();
    const sessions: { logout(text: string): void }[] = [];
    const { port } = await accepting({ onLogon: (session) => void sessions.push(session) });
    const watched = new Watched({
      port: dead,
      backups: [{ host: '127.0.0.1', port }],
      elapsed: () => elapsed,
    });
    await expect.poll(() => watched.initiator.state).toBe('up');
    expect([watched.of('connection-failed').map((event) => event.port), watched.of('waiting')]).toEqual([[dead], []]);
    elapsed += 60_000;
    sessions[0]!.logout('fail over');
    await expect.poll(() => sessions.length).toBe(2);
    expect(watched.of('connection-failed').map((event) => event.port)).toEqual([dead, dead]);
    // Up for no time: the second address has failed, the wait is behind it, then the first one is tried.
    const waits = watched.of('waiting').length;
    sessions[1]!.logout('at once');
    await expect.poll(() => sessions.length).toBe(3);
    expect(watched.of('waiting').length).toBe(waits + 1);
    expect(watched.of('connection-failed').map((event) => event.port)).toEqual([dead, dead, dead]);
  });
});

describe('a connection that ends while the store of its session is being opened', () => {
  test.each(['the connection ends', 'stop'])('%s: the store keeps its numbers, and is free', async (how) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'fix-store-'));
    stops.push(() => rmSync(directory, { recursive: true }));
    let peer: Socket | undefined;
    const server = createServer((socket) => {
      peer = socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => server.close());
    const files = fileStoreFactory({ directory });
    const id = { beginString: 'FIX.4.4', senderCompId: 'CLIENT', targetCompId: 'VENUE' };
    const before = files(id, undefined);
    await before.open(() => {});
    await before.settle(7, 5);
    await before.close();
    let opens = 0;
    let letOpen = (): void => {};
    const store: SessionStoreFactory = (...args) => {
      const inner = files(...args);
      const open = inner.open.bind(inner);
      inner.open = async (onTakenOver) => {
        opens++;
        await new Promise<void>((resolve) => {
          letOpen = resolve;
        });
        return open(onTakenOver);
      };
      return inner;
    };
    const watched = new Watched({
      port: (server.address() as { port: number }).port,
      store,
      resetOnLogon: false,
      reconnect: { waitsMs: [60_000] },
    });
    await expect.poll(() => opens).toBe(1);
    await expect.poll(() => peer).toBeDefined();
    const stopped = how === 'stop' ? watched.initiator.stop() : void peer!.resetAndDestroy();
    await expect.poll(() => watched.ends.length).toBe(1);
    letOpen();
    await (stopped ?? expect.poll(() => watched.initiator.state).toBe('waiting'));
    await watched.initiator.stop();
    const after = files(id, undefined);
    expect(await after.open(() => {})).toMatchObject({ nextOut: 7, nextIn: 5 });
    await after.close();
    expect(watched.of('store-failed')).toEqual([]);
  });
});
