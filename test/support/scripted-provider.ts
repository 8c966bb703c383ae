/** A provider over FIX 4.4 whose answers a test writes: it takes orders and requests, and sends what it is given. */
import { Acceptor, Dictionary, type Field, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import { FIX_DICTIONARY, readProjectFile } from '../../engine/domain/data/data-file.js';
import * as Tag from '../../engine/domain/fix/tags.js';

export interface Received {
  readonly msgType: string;
  readonly clOrdId: string;
  readonly number: number;
  /** Undefined: the message has no such field. */
  text(tag: number): string | undefined;
}

export interface ScriptedProvider {
  readonly port: number;
  /** NewOrderSingle(D), OrderStatusRequest(H) and TradeCaptureReportRequest(AD), in the order of arrival. */
  readonly received: readonly Received[];
  readonly isUp: boolean;
  /** Logons since the start. */
  readonly logons: number;
  onOrder: (order: Received) => void;
  onStatus: (request: Received) => void;
  send(msgType: string, fields: readonly Field[]): void;
  /** An ExecutionReport(8) of an order to sell 300,000 EUR at 1.08431; `more` replaces its fields, undefined leaves one out. */
  report(clOrdId: string, more: Readonly<Record<number, string | number | undefined>>): void;
  /** Ends the connection as a network would. */
  cut(): void;
  close(): Promise<void>;
}

const PROFILE = profile({ supported: new Set(['D', 'H', 'AD']), stored: new Set(['8', 'AE', 'j']) });

/** `requires`: fields that its NewOrderSingle(D) needs beside those of FIX 4.4; without them its session answers Reject(3). */
export async function startScriptedProvider(requires: readonly string[] = []): Promise<ScriptedProvider> {
  const needed = requires.map((name) => `<field name='${name}' required='Y' />`).join('');
  const dictionary = readProjectFile(FIX_DICTIONARY).replace(/(<message name='NewOrderSingle'[^>]*>)/, `$1${needed}`);
  const received: Received[] = [];
  let session: Session | undefined;
  let logons = 0;
  let execs = 0;
  const sockets = new Set<{ destroy(): void }>();
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port: 0,
    dictionary: Dictionary.parse(dictionary),
    store: memoryStoreFactory(),
    remoteAddress: (socket) => {
      sockets.add(socket);
      return `${socket.remoteAddress}:${socket.remotePort}`;
    },
    application: {
      authenticate: () => ({ accept: true, profile: PROFILE, reply: [], context: undefined }),
      onLogon(now) {
        logons++;
        session = now;
      },
      onLogout() {
        session = undefined;
      },
      onMessage(_session, message) {
        const fields = new Map<number, string>();
        for (let i = 0; i < message.count; i++) fields.set(message.tagAt(i), message.stringAt(i) ?? '');
        const one: Received = {
          msgType: message.msgType,
          clOrdId: fields.get(Tag.ClOrdID) ?? '',
          number: Number(fields.get(Tag.MsgSeqNum)),
          text: (tag) => fields.get(tag),
        };
        received.push(one);
        if (one.msgType === 'D') provider.onOrder(one);
        else if (one.msgType === 'H') provider.onStatus(one);
      },
    },
  });
  const { port } = await acceptor.listen();
  const provider: ScriptedProvider = {
    port,
    received,
    get isUp() {
      return session !== undefined;
    },
    get logons() {
      return logons;
    },
    onOrder: () => {},
    onStatus: () => {},
    send(msgType, fields) {
      const sent = session?.send(msgType, fields);
      if (typeof sent !== 'number') throw new Error(`${msgType} was not sent: ${sent?.reason ?? 'no session'}`);
    },
    report(clOrdId, more) {
      const fields: Record<number, string | number | undefined> = {
        ...{ [Tag.OrderID]: 'P1', [Tag.ClOrdID]: clOrdId, [Tag.ExecID]: `E${++execs}`, [Tag.ExecType]: 'F' },
        ...{ [Tag.OrdStatus]: 2, [Tag.Symbol]: 'EUR/USD', [Tag.Side]: 2, [Tag.LeavesQty]: 0, [Tag.CumQty]: 300_000 },
        ...{ [Tag.AvgPx]: '1.08431', ...more },
      };
      const given = Object.entries(fields).filter((one): one is [string, string | number] => one[1] !== undefined);
      provider.send(
        '8',
        given.map(([tag, value]) => [Number(tag), value]),
      );
    },
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: () => acceptor.stop(),
  };
  return provider;
}
