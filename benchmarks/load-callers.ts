/**
 * The callers of a run, in a process of their own: each sends the next request when the last is answered. Started with a CallersPlan;
 * prints a CallersResult.
 */
import { connect } from 'node:net';
import type { CallersPlan, CallersResult } from './load/callers.js';
import { utcMicros, wallMicros } from './load/clock.js';
import { ANSWER, bodyText, type HttpRequest, UNIQUE } from './load/requests.js';
import { cpuOf, Percentiles } from './measure.js';

const SOH = '\x01';
const plan: CallersPlan = JSON.parse(process.argv[2]!);
const faults = new Map<string, number>();
const run = process.pid.toString(36) + Date.now().toString(36);
let latency = new Percentiles();
let asked = 0;
let isEnding = false;

const fault = (what: string): void => void faults.set(what, (faults.get(what) ?? 0) + 1);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

main().then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0)),
  (error: Error) => process.stderr.write(`${error.message}\n`, () => process.exit(1)),
);

async function main(): Promise<CallersResult> {
  const start = plan.door === 'fix' ? desk : browser;
  await Promise.all(Array.from({ length: plan.callers }, (_, caller) => start(caller)));
  await pause(plan.warmUpS * 1_000);
  latency = new Percentiles();
  faults.clear();
  const from = performance.now();
  const cpuFrom = cpuOf(plan.servers);
  await pause(plan.seconds * 1_000);
  const seconds = (performance.now() - from) / 1_000;
  const cpuS = cpuOf(plan.servers) - cpuFrom;
  const measured = latency;
  isEnding = true;
  return {
    perSecond: measured.count / seconds,
    p50us: measured.at(0.5),
    p99us: measured.at(0.99),
    cpuUs: (cpuS * 1e6) / measured.count,
    faults: [...faults].map(([what, times]) => `${times} x ${what}`),
  };
}

const gapMs = plan.perCallerPerSecond === 0 ? 0 : 1_000 / plan.perCallerPerSecond;

function portOf(caller: number): number {
  return plan.servers[caller % plan.servers.length]!.port;
}

/** Sends the next one at its time; at once without a pace. */
function next(ask: () => void, tookMs: number): void {
  if (gapMs === 0) ask();
  else setTimeout(ask, Math.max(0, gapMs - tookMs));
}

/** A kept-alive connection, one request at a time. */
function browser(caller: number): Promise<void> {
  const own = plan.requests[caller % plan.requests.length]!.map((request) => textOf(request));
  let turn = 0;
  let kept = '';
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let held = '';
    const socket = connect({ port: portOf(caller), host: '127.0.0.1', noDelay: true });
    const ask = (): void => {
      if (isEnding) return;
      sentAt = performance.now();
      socket.write(own[turn]!.text(kept));
    };
    socket.setEncoding('latin1');
    socket.once('connect', () => {
      ask();
      resolve();
    });
    socket.on('error', reject);
    socket.on('data', (text: string) => {
      held += text;
      const head = held.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1]);
      if (held.length < head + 4 + length) return;
      const tookMs = performance.now() - sentAt;
      latency.record(tookMs * 1_000);
      if (!held.startsWith('HTTP/1.1 200')) fault(/"code":"(\w+)"/.exec(held)?.[1] ?? held.slice(0, 12));
      const { keep } = own[turn]!;
      if (keep !== undefined) kept = String(JSON.parse(held.slice(head + 4))[keep]);
      held = '';
      turn = (turn + 1) % own.length;
      next(ask, tookMs);
    });
  });
}

/** The request's text, and what of its answer is kept for the next one. */
function textOf({ method, path, headers = {}, body, keep }: HttpRequest) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const written = body === undefined ? '' : bodyText(body);
  const filled = (text: string, kept: string) =>
    text.includes('$') ? text.replaceAll(UNIQUE, () => `${run}.${asked++}`).replaceAll(ANSWER, kept) : text;
  const text = (kept: string): string => {
    const content = filled(written, kept);
    const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(content)}\r\n`;
    return `${method} ${filled(path, kept)} HTTP/1.1\r\nhost: b\r\n${lines.join('')}${length}\r\n${content}`;
  };
  return { text, keep };
}

/** A logged-on desk, CLI0001 and on, one order at a time, within its throttle. */
function desk(caller: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const number = plan.firstDesk + caller;
    const socket = connect({ port: portOf(caller), host: '127.0.0.1', noDelay: true });
    let held = '';
    let token = '';
    let sequence = 1;
    let sentAt = 0;
    const send = (type: string, fields: string): void => {
      const time = utcMicros(Math.round(wallMicros())).slice(0, -3);
      const ids = `49=CLI${String(number).padStart(4, '0')}|56=FXENGINE|52=${time}|`;
      const body = `35=${type}|34=${sequence++}|${ids}${fields}`.replaceAll('|', SOH);
      const message = `8=FIX.4.4${SOH}9=${body.length}${SOH}${body}`;
      let sum = 0;
      for (let i = 0; i < message.length; i++) sum += message.charCodeAt(i);
      socket.write(`${message}10=${String(sum & 255).padStart(3, '0')}${SOH}`, 'latin1');
    };
    const order = (): void => {
      if (isEnding) return;
      sentAt = performance.now();
      const time = utcMicros(Math.round(wallMicros())).slice(0, -3);
      send('D', `11=${run}.${asked++}|55=EUR/USD|54=1|60=${time}|38=1000|40=1|15=EUR|20001=${token}|`);
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the engine has closed the connection of a desk')));
    socket.once('connect', () => send('A', `98=0|108=60|141=Y|553=key${number}|554=secret${number}|`));
    socket.on('data', (text: string) => {
      held += text;
      for (let end = held.indexOf(`${SOH}10=`); end >= 0 && held.length >= end + 8; end = held.indexOf(`${SOH}10=`)) {
        take(held.slice(0, end));
        held = held.slice(end + 8);
      }
    });
    const take = (message: string): void => {
      const value = (tag: number) => message.split(`${SOH}${tag}=`)[1]?.split(SOH, 1)[0] ?? '';
      const type = value(35);
      if (type === 'A') {
        token = value(20001);
        order();
        resolve();
      } else if (type === '1') send('0', `112=${value(112)}|`);
      else if (type === '8' && value(150) === 'A') fault('pending');
      else if (type === '8') {
        const tookMs = performance.now() - sentAt;
        latency.record(tookMs * 1_000);
        if (value(150) !== 'F') fault(value(20011));
        next(order, tookMs);
      } else if (type !== '0' && !isEnding) fault(`35=${type} ${value(58)}`);
    };
  });
}
