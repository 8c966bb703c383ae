/** Watches the prices of every machine all the time: how old each is when it is sent, and since when there are fresh ones. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fields, frame, parse, type Received, timestamp } from '../support/desk.js';
import { ENGINES, MAX_AGE_MS, type Machine, type Machines, SIDECARS, SLACK_MS } from './machines.js';
import type { Provider } from './provider.js';

export interface WatchCredentials {
  readonly clientKey: string;
  readonly clientSecret: string;
}

/** When a fresh price came, and when its provider had made it; epoch ms. */
interface Seen {
  readonly atMs: number;
  readonly madeAtMs: number;
}

/** The requests in turn, with their decimals. */
const SHOWN = [
  ['EUR/USD', 7],
  ['EUR/JPY', 5],
] as const;
const ASK_EVERY_MS = 100;
const LOGON_MS = 6_000;
const AGAIN_MS = 50;

export class Watch {
  prices = 0;
  oldestMs = 0;
  readonly #seen = new Map<Machine, Seen[]>();
  #isOver = false;
  readonly #all: Promise<void>;

  constructor(
    private readonly machines: Machines,
    private readonly provider: Provider,
    private readonly credentials: WatchCredentials,
    private readonly violation: (text: string) => void,
  ) {
    this.#all = Promise.all([
      ...ENGINES.map((engine) => this.#watchEngine(engine)),
      ...SIDECARS.map((sidecar) => this.#watchSidecar(sidecar)),
    ]).then(() => {});
  }

  /** From then until the machine had a price that was made later, ms; undefined: it has none yet. */
  gapMs(machine: Machine, sinceMs: number): number | undefined {
    const first = this.#seen.get(machine)?.find(({ madeAtMs }) => madeAtMs > sinceMs);
    return first && first.atMs - sinceMs;
  }

  /** The longest time between two fresh prices of the machine from then on, ms. */
  longestMs(machine: Machine, sinceMs: number, untilMs: number): number {
    const times = (this.#seen.get(machine) ?? [])
      .map(({ atMs }) => atMs)
      .filter((at) => at >= sinceMs && at <= untilMs);
    return Math.max(0, ...times.map((at, i) => at - (times[i - 1] ?? sinceMs)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#all;
  }

  #note(machine: Machine, madeAtMs: number, saidAtMs: number): void {
    const ageMs = saidAtMs - madeAtMs;
    this.prices++;
    this.oldestMs = Math.max(this.oldestMs, ageMs);
    if (ageMs > MAX_AGE_MS + SLACK_MS) this.violation(`${machine} shows a price that is ${ageMs} ms old`);
    const seen = this.#seen.get(machine) ?? [];
    seen.push({ atMs: Date.now(), madeAtMs });
    this.#seen.set(machine, seen);
  }

  async #watchEngine(engine: Machine): Promise<void> {
    while (!this.#isOver) {
      const door = this.machines.addresses(engine)?.fix;
      if (door) await this.#stream(engine, door);
      await pause(AGAIN_MS);
    }
  }

  /** Until the connection ends, or the engine no longer answers. */
  #stream(engine: Machine, door: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(Number(door.split(':')[1]), '127.0.0.1');
      const late = setTimeout(() => socket.destroy(), LOGON_MS);
      let held = '';
      let out = 1;
      const send = (type: string, fields: Fields) => write(socket, `W-${engine.toUpperCase()}`, type, out++, fields);
      const looking = setInterval(() => {
        if (this.#isOver || this.machines.addresses(engine)?.fix !== door) socket.destroy();
      }, AGAIN_MS);
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(late);
        clearInterval(looking);
        resolve();
      });
      const { clientKey, clientSecret } = this.credentials;
      socket.on('connect', () =>
        send('A', [
          [98, 0],
          [108, 60],
          [141, 'Y'],
          [553, clientKey],
          [554, clientSecret],
        ]),
      );
      socket.on('data', (chunk) => {
        held += chunk.toString('latin1');
        for (let end = /\x0110=\d{3}\x01/.exec(held); end; end = /\x0110=\d{3}\x01/.exec(held)) {
          const length = end.index + end[0].length;
          const message = parse(held.slice(0, length));
          held = held.slice(length);
          const type = message.get(35);
          if (type === 'A') {
            clearTimeout(late);
            send('V', streamed(message.get(20001) ?? ''));
          } else if (type === 'W') this.#shown(engine, message);
          else if (type === '1') send('0', [[112, message.get(112) ?? '']]);
          else if (type === '5') {
            send('5', []);
            socket.end();
          }
        }
      });
    });
  }

  #shown(engine: Machine, message: Received): void {
    // Without a price it is withdrawn.
    const madeAtUs = message.get(20017);
    if (message.get(270) === undefined || madeAtUs === undefined) return;
    this.#note(engine, epochMs(madeAtUs), epochMs(message.get(52)!));
  }

  async #watchSidecar(sidecar: Machine): Promise<void> {
    let token = '';
    for (let asked = 0; !this.#isOver; await pause(ASK_EVERY_MS)) {
      const door = this.machines.addresses(sidecar)?.rest;
      if (!door) continue;
      try {
        if (token === '') token = await this.#token(door);
        const [symbol, decimals] = SHOWN[asked++ % SHOWN.length]!;
        const [sells, buys] = symbol.split('/');
        const answer = await fetch(`http://${door}/api/v1/bookfx/rate?sell_currency=${sells}&buy_currency=${buys}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (answer.status !== 200) continue;
        const answeredAtMs = Date.now();
        const { fx_rate: rate } = (await answer.json()) as { fx_rate: number };
        const madeAtMs = this.provider.madeAtMs(symbol, 'bid', Math.round(rate * 10 ** decimals));
        if (madeAtMs === undefined)
          this.violation(`${sidecar} shows ${rate} for ${symbol}, which the provider never made`);
        // The answer's delay in this process does not count as age: the answer states its own time, to the second.
        else this.#note(sidecar, madeAtMs, Math.min(answeredAtMs, Date.parse(answer.headers.get('date')!) + 999));
      } catch {
        // It is down just now.
      }
    }
  }

  async #token(door: string): Promise<string> {
    const { clientKey, clientSecret } = this.credentials;
    const headers = { client_key: clientKey, client_secret: clientSecret };
    const answer = await fetch(`http://${door}/api/v1/authentication`, { method: 'POST', headers });
    return ((await answer.json()) as { token: string }).token;
  }
}

const streamed = (token: string): Fields => [
  [262, 'W'],
  [263, 1],
  [264, 1],
  [265, 0],
  [267, 2],
  [269, 0],
  [269, 1],
  [146, 5],
  [55, 'EUR/USD'],
  [55, 'GBP/USD'],
  [55, 'USD/JPY'],
  // A cross pair is as old as the older of its two prices.
  [55, 'EUR/GBP'],
  [55, 'EUR/JPY'],
  [20001, token],
];

function write(socket: Socket, compId: string, type: string, number: number, fields: Fields): void {
  const head: Fields = [
    [35, type],
    [34, number],
    [49, compId],
    [52, timestamp(Date.now())],
    [56, 'FXENGINE'],
  ];
  socket.write(frame([...head, ...fields]), 'latin1');
}

/** Of a UTCTimestamp, `20261120-16:00:00.123456`. */
function epochMs(text: string): number {
  const [, y, m, d, time] = /^(\d{4})(\d{2})(\d{2})-(.{8,12})/.exec(text)!;
  return Date.parse(`${y}-${m}-${d}T${time}Z`);
}
