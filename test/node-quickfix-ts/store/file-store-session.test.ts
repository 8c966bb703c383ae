/** Sessions over TCP on file stores: numbers and messages continue after both sides have stopped, and the copy of a killed acceptor resends. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Acceptor, type Application, fileStoreFactory, Initiator, profile, type Session } from 'node-quickfix-ts';
import { afterEach, expect, test, vi } from 'vitest';
import { readDictionary } from '../dictionaries.js';
import { fieldOf, Peer, utc } from '../session/session-peer.js';
import { newDirectory } from './file-harness.js';

const dictionary = readDictionary();
const running: { stop(): Promise<void> }[] = [];
const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  for (const one of running.splice(0).reverse()) await one.stop();
});

const stored = profile({ supported: new Set(['D', '8']), stored: new Set(['D', '8']) });
const venue: Application = {
  authenticate: () => ({ accept: true, profile: stored, reply: [], context: undefined }),
  onLogon() {},
  onMessage: (session, order) => void session.send('8', [[37, order.string(11) ?? '']]),
  onLogout() {},
};

async function acceptorOn(directory: string): Promise<{ acceptor: Acceptor; port: number }> {
  const store = fileStoreFactory({ directory });
  const acceptor = new Acceptor({ port: 0, dictionary, application: venue, store });
  running.push(acceptor);
  return { acceptor, ...(await acceptor.listen()) };
}

const ORDER = (id: string) =>
  [
    [11, id],
    [55, 'EUR/USD'],
    [54, 1],
    [60, utc()],
    [40, 1],
  ] as const;

test('both sides continue their numbers after a restart', async () => {
  const [ours, theirs] = [newDirectory(), newDirectory()];
  const store = fileStoreFactory({ directory: theirs });
  for (let run = 0; run < 3; run++) {
    const { acceptor, port } = await acceptorOn(ours);
    const reports: string[] = [];
    let begun: readonly number[] = [];
    const initiator = new Initiator({
      ...{ host: '127.0.0.1', port, beginString: 'FIX.4.4', senderCompId: 'CLIENT1', targetCompId: 'VENUE' },
      ...{ heartBtInt: 30, store, profile: stored },
      application: {
        onLogon(session: Session) {
          begun = [session.nextOut, session.nextIn];
          session.send('D', ORDER(`o${run}`));
        },
        onMessage: (_, report) => reports.push(report.string(37) ?? ''),
        onLogout() {},
      },
    });
    initiator.start();
    await vi.waitFor(() => expect(reports).toEqual([`o${run}`]), 30_000);
    // A Logon, an order and a Logout each time; the numbers of the acceptor are the same.
    expect(begun).toEqual([2 + 3 * run, 2 + 3 * run]);
    await initiator.stop();
    await acceptor.stop();
    running.length = 0;
  }
});

test('what a killed acceptor has stored is resent by the next, and no number is used again', async () => {
  const before = newDirectory();
  const { port } = await acceptorOn(before);
  const peer = await Peer.open(port);
  peers.push(peer);
  peer.send(`35=A|34=1|49=CLIENT1|52=${utc()}|56=VENUE|98=0|108=30`);
  await peer.next();
  for (let number = 2; number < 5; number++) {
    peer.send(`35=D|34=${number}|49=CLIENT1|52=${utc()}|56=VENUE|11=o${number}|55=EUR/USD|54=1|60=${utc()}|40=1`);
    expect(fieldOf(await peer.next(), 37)).toBe(`o${number}`);
  }
  // As the disk is at this moment: a report that was sent is in it. The number of the newest order is written behind its report.
  const diskNow = (): string => {
    const copy = newDirectory();
    for (const name of readdirSync(before).filter((one) => !one.startsWith('lock.')))
      cpSync(join(before, name), join(copy, name), { recursive: true });
    return copy;
  };
  const id = { beginString: 'FIX.4.4', senderCompId: 'VENUE', targetCompId: 'CLIENT1' };
  await vi.waitFor(async () => {
    const store = fileStoreFactory({ directory: diskNow() })(id, undefined);
    const numbers = await store.open(() => undefined);
    await store.close();
    expect(numbers).toMatchObject({ nextIn: 5 });
  }, 30_000);
  const after = diskNow();
  const next = await Peer.open((await acceptorOn(after)).port);
  peers.push(next);
  next.send(`35=A|34=5|49=CLIENT1|52=${utc()}|56=VENUE|98=0|108=30`);
  const logon = await next.next();
  expect(Number(fieldOf(logon, 34))).toBeGreaterThan(4);
  next.send(`35=2|34=6|49=CLIENT1|52=${utc()}|56=VENUE|7=2|16=4`);
  for (let number = 2; number < 5; number++) {
    const report = await next.next();
    expect([35, 34, 43, 37].map((tag) => fieldOf(report, tag))).toEqual(['8', String(number), 'Y', `o${number}`]);
  }
});
