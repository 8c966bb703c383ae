/** A desk on node-quickfix-ts that passes the certification unattended, and a line to it that changes what the desk sends. */
import { connect, createServer, type Socket } from 'node:net';
import { type Field, Initiator, type MessageView, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import { frame, parse, type Received } from '../../support/desk.js';

const AUTH_TOKEN = 20001;
const ERROR_CODE = 20011;
const PAIR = 'EUR/USD';
const BUY = [
  [54, 1],
  [38, 10_000],
  [15, 'EUR'],
] as const;

export interface CertificationDeskOptions {
  readonly port: number;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly heartBtInt?: number;
  /** With TLS: the authority of the certificate, PEM. */
  readonly ca?: string | undefined;
  /** What the application sends in place of its own message; undefined: nothing. */
  readonly change?: (msgType: string, fields: readonly Field[]) => readonly Field[] | undefined;
  /** Called at each Logon(A), with how many there were. */
  readonly onLogon?: (session: Session, logons: number, token: string) => void;
}

/** Each rule begins with what the desk receives, as fix-config/certification.md has it. Call `stop` at the end. */
export function certificationDesk(options: CertificationDeskOptions): { stop(): Promise<void> } {
  const { port, clientKey, clientSecret, heartBtInt = 1, change = (_, fields) => fields } = options;
  let token = '';
  let offer = 0;
  let logons = 0;
  let ids = 0;
  const send = (session: Session, msgType: string, fields: readonly Field[]): void => {
    const changed = change(msgType, [...fields, [AUTH_TOKEN, token]]);
    if (changed !== undefined) session.send(msgType, changed);
  };
  const subscribe = (session: Session): void =>
    send(session, 'V', [
      [262, `M${++ids}`],
      [263, 1],
      [264, 1],
      [265, 0],
      [267, 2],
      [269, 0],
      [269, 1],
      [146, 1],
      [55, PAIR],
    ]);
  const requestQuote = (session: Session, quoteType: number): void =>
    send(session, 'R', [[131, `Q${++ids}`], [146, 1], [55, PAIR], [537, quoteType], ...BUY]);
  const order = (session: Session, id: string, more: readonly Field[]): void =>
    send(session, 'D', [[11, id], [55, PAIR], ...BUY, [60, '20261120-08:00:00.000'], ...more]);

  const reported = (session: Session, message: MessageView): void => {
    const outcome = `${message.string(11)} ${message.string(150)}`;
    if (outcome === 'O1 F')
      order(session, 'O2', [
        [40, 2],
        [44, (offer / 2).toFixed(5)],
      ]);
    else if (outcome === 'O2 8') order(session, 'O3', [[40, 1]]);
    else if (outcome === 'O3 I') void initiator.stop();
  };
  const onMessage = (session: Session, message: MessageView): void => {
    const { msgType } = message;
    if (msgType === 'W' && offer === 0) {
      const [, side] = message.groups(268);
      if (side?.string(276) !== 'A') return;
      offer = Number(side.string(270));
      requestQuote(session, 0);
    } else if (msgType === 'S' && message.string(537) === '0') requestQuote(session, 1);
    else if (msgType === 'S')
      order(session, 'O1', [
        [40, 'D'],
        [117, message.string(117) ?? ''],
      ]);
    else if (msgType === '8') reported(session, message);
    else if (msgType === 'BF' && message.string(ERROR_CODE) === 'TOKEN_EXPIRING') {
      const renewal = change('BE', [
        [923, 'U1'],
        [924, 1],
        [553, clientKey],
        [554, clientSecret],
      ]);
      if (renewal) session.send('BE', renewal);
    } else if (msgType === 'BF' && message.has(AUTH_TOKEN)) {
      token = message.string(AUTH_TOKEN) ?? '';
      send(session, 'H', [
        [11, 'O3'],
        [55, PAIR],
        [54, 1],
      ]);
    }
  };
  const initiator = new Initiator({
    host: '127.0.0.1',
    port,
    ...(options.ca !== undefined && { tls: { ca: options.ca } }),
    beginString: 'FIX.4.4',
    senderCompId: 'ACME1',
    targetCompId: 'FXENGINE',
    heartBtInt,
    logonFields: [
      [553, clientKey],
      [554, clientSecret],
    ],
    application: {
      onLogon(session, logon) {
        token = logon.string(AUTH_TOKEN) ?? '';
        logons++;
        subscribe(session);
        options.onLogon?.(session, logons, token);
      },
      onMessage,
      onLogout: () => {},
    },
    store: memoryStoreFactory(),
    profile: profile({
      supported: new Set(['W', 'X', 'Y', 'S', 'AG', 'AI', '8', 'BF', 'j', 'h', 'f', 'y']),
      stored: new Set(['V', 'R', 'D', 'H', 'BE']),
    }),
    reconnect: { firstMs: 50, maxMs: 200 },
  });
  initiator.start();
  return { stop: () => initiator.stop() };
}

/** What becomes of a message of the desk: other fields, other bytes, nothing, or the end of the connection. */
type Changed = readonly (readonly [number, string | number])[] | string | 'dropped' | 'closed';

export type LineChange = (message: Received, connection: number) => Changed | undefined;

/** Passes everything on between the desk and a port; `change` sees each message of the desk, header and all. Returns its port. */
export async function changingLine(to: number, change: LineChange): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((desk) => {
    const connection = ++connections;
    const engine = connect(to, '127.0.0.1');
    let rest = '';
    for (const socket of [desk, engine]) sockets.add(socket.on('error', () => {}));
    desk.on('close', () => engine.destroy());
    engine.on('close', () => desk.destroy());
    engine.pipe(desk);
    desk.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = endOf(rest); end > 0; end = endOf(rest)) {
        const message = parse(rest.slice(0, end));
        const changed = change(message, connection);
        if (changed === 'closed') desk.destroy();
        else if (changed === undefined) engine.write(rest.slice(0, end), 'latin1');
        else if (changed !== 'dropped') engine.write(typeof changed === 'string' ? changed : frame(changed), 'latin1');
        rest = rest.slice(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const endOf = (text: string): number => {
  const found = /\x0110=\d{3}\x01/.exec(text);
  return found ? found.index + found[0].length : 0;
};

/** The message with other values: replaced, added at the end of the body, or (undefined) taken out. */
export function withFields(
  message: Received,
  changes: Readonly<Record<number, string | undefined>>,
): readonly (readonly [number, string])[] {
  const body = message.fields.filter(([of]) => ![8, 9, 10].includes(of));
  const kept = body.flatMap(([of, was]): [number, string][] => {
    const value = of in changes ? changes[of] : was;
    return value === undefined ? [] : [[of, value]];
  });
  const added = Object.entries(changes).filter(([of, value]) => value !== undefined && !message.get(Number(of)));
  return [...kept, ...added.map(([of, value]) => [Number(of), value!] as const)];
}

/** The first ResendRequest(2) begins one number later. */
export function laterOnce(): LineChange {
  let changed = false;
  return (message) => {
    if (changed || message.get(35) !== '2') return undefined;
    changed = true;
    return withFields(message, { 7: String(Number(message.get(7)) + 1) });
  };
}

/** The first QuoteRequest(R) has a wrong CheckSum(10). */
export function brokenOnce(): LineChange {
  let broken = false;
  return (message) => {
    if (broken || message.get(35) !== 'R') return undefined;
    broken = true;
    return `${message.text.replaceAll('|', '\x01')}`.replace(/10=(\d)/, (_, digit) => `10=${(Number(digit) + 1) % 3}`);
  };
}
