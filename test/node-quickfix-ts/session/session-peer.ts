import { connect, type Socket } from 'node:net';

/** A FIX peer on bare TCP that sends exactly the given bytes, for tests. `|` is SOH. */
export class Peer {
  private received = '';
  private ended = false;
  private wake: () => void = () => {};

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
      this.wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  static open(port: number): Promise<Peer> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Peer(socket)));
    });
  }

  /** The bytes as they are. */
  write(text: string): void {
    this.socket.write(Buffer.from(text, 'latin1'));
  }

  /** A message of these fields; 8, 9 and 10 are added where they are missing. */
  send(fields: string): void {
    this.write(message(fields));
  }

  /** The next message, `|` for SOH; undefined when the connection has been closed. */
  async next(withinMs = 120_000): Promise<string | undefined> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const match = /^8=FIX[^\x01]*\x019=\d+\x01.*?\x0110=\d{3}\x01/s.exec(this.received);
      if (match !== null) {
        this.received = this.received.slice(match[0].length);
        return match[0].replaceAll('\x01', '|');
      }
      if (this.ended) return undefined;
      await this.change(deadline - performance.now());
    }
  }

  /** Resolves when the other side has closed; what it has sent before is given back. */
  async closed(withinMs = 120_000): Promise<string> {
    const deadline = performance.now() + withinMs;
    while (!this.ended) await this.change(deadline - performance.now());
    return this.received.replaceAll('\x01', '|');
  }

  get isClosed(): boolean {
    return this.ended;
  }

  close(): void {
    this.socket.destroy();
  }

  private change(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing came; so far: ${this.received}`)),
        Math.max(0, withinMs),
      );
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The wire form of `fields`: BeginString(8), BodyLength(9) and CheckSum(10) are added unless they are given. */
export function message(fields: string): string {
  const parts = fields.split('|').filter((part) => part !== '');
  const take = (tag: string): string | undefined => {
    const i = parts.findIndex((part) => part.startsWith(`${tag}=`));
    return i < 0 ? undefined : parts.splice(i, 1)[0];
  };
  const begin = take('8') ?? '8=FIX.4.4';
  const length = take('9');
  const check = take('10');
  const body = parts.map((part) => `${part}\x01`).join('');
  const more = /^9=\+(\d+)$/.exec(length ?? '')?.[1];
  const bodyLength = length === undefined || more !== undefined ? `9=${body.length + Number(more ?? 0)}` : length;
  const counted = `${begin}\x01${bodyLength}\x01${body}`;
  return `${counted}${check ?? `10=${checkSum(counted)}`}\x01`;
}

function checkSum(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return String(sum & 0xff).padStart(3, '0');
}

/** UTC now, as SendingTime(52), `seconds` from now. */
export function utc(seconds = 0, nowMs = Date.now()): string {
  const [date, time] = new Date(nowMs + seconds * 1000).toISOString().split('T') as [string, string];
  return `${date.replaceAll('-', '')}-${time.slice(0, -1)}`;
}

/** Value of the first field `tag` of a message with `|` for SOH. */
export function fieldOf(text: string | undefined, tag: number): string | undefined {
  return text
    ?.split('|')
    .find((field) => field.startsWith(`${tag}=`))
    ?.slice(String(tag).length + 1);
}
