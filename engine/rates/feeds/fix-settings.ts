import { readFileSync } from 'node:fs';
import { Dictionary, type Field, type ReconnectWaits } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { MAX_LEVELS } from '../../domain/money/ladder.js';
import { decodedUserPart, FeedSettingError, mustBeKnown } from './port.js';
import { symbolsOf } from './symbol-bytes.js';
import { DIRECT_PAIRS } from './walk.js';

/** A FIX provider as its URL describes it. */
export interface FixSettings {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly provider: string;
  readonly beginString: 'FIX.4.2' | 'FIX.4.3' | 'FIX.4.4';
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly heartBtInt: number;
  /** Waits between attempts to log on. */
  readonly reconnect: ReconnectWaits;
  /** Both sides start at 1 at each Logon(A): what is missed of market data is not wanted back. */
  readonly resetOnLogon: boolean;
  readonly logonFields: readonly Field[];
  /** Pair indexes. */
  readonly pairs: readonly number[];
  /** The separator of the currencies in Symbol(55). */
  readonly between: '' | '/' | '.' | '-';
  /** MDUpdateType(265): 0 a W for each change, 1 X after the first W; undefined leaves it out. */
  readonly updateType: 0 | 1 | undefined;
  /** MarketDepth(264): 0 the provider's whole book, else so many levels, at most 10. */
  readonly depth: number;
  /** Prices are asked for by MarketDataRequest(V), or quotes by QuoteRequest(R). */
  readonly request: 'V' | 'R';
  /** OrderQty(38) of a QuoteRequest(R), units of base. */
  readonly amount: number;
  /** The provider's own dictionary, by which its messages are checked; 'none': they are not. */
  readonly dictionary: Dictionary | 'none';
}

const ACCEPTED =
  'fix://user:password@host:port?sender=US&target=THEM and, if wanted, version=4.4 symbols=EURUSD+USDJPY style=EUR/USD update=0 depth=1 request=V amount=1000000 dictionary=FILE heartbeat=30 interval=30 reset=Y provider=NAME logon.TAG=VALUE';
const PARAMETER =
  /^(sender|target|version|symbols|style|update|depth|request|amount|dictionary|heartbeat|interval|reset|provider|logon\.[1-9]\d{0,4})$/;
/** A provider that comes back is used within 5 s. */
const RECONNECT: ReconnectWaits = { firstMs: 1_000, maxMs: 4_500 };
const COMP_ID = /^[A-Za-z0-9._-]{1,32}$/;
const BETWEEN: ReadonlyMap<string, FixSettings['between']> = new Map([
  ['EURUSD', ''],
  ['EUR/USD', '/'],
  ['EUR.USD', '.'],
  ['EUR-USD', '-'],
] as const);

/** Throws FeedSettingError with one line; the password is not in it. */
export function fixSettings(spec: string): FixSettings {
  if (!URL.canParse(spec)) throw new FeedSettingError(`no URL; write ${ACCEPTED}`);
  const url = new URL(spec);
  const query = url.searchParams;
  mustBeKnown(query.keys(), PARAMETER, ACCEPTED);
  const pick = <T>(name: string, fallback: string, choices: ReadonlyMap<string, T>): T => {
    const text = query.get(name) ?? fallback;
    const choice = choices.get(text);
    if (choice === undefined && !choices.has(text))
      throw new FeedSettingError(
        `${name}=${text.slice(0, 20)} of ${url.host}: one of ${[...choices.keys()].join(', ')}`,
      );
    return choice as T;
  };
  const compId = (name: string, fallback: string | null): string => {
    const text = query.get(name) ?? fallback ?? '';
    if (!COMP_ID.test(text))
      throw new FeedSettingError(`${name}=... of ${url.host} must be 1 to 32 of A-Z a-z 0-9 . _ -; write ${ACCEPTED}`);
    return text;
  };
  const heartBtInt = Number(query.get('heartbeat') ?? 30);
  if (!(Number.isInteger(heartBtInt) && heartBtInt >= 1 && heartBtInt <= 300))
    throw new FeedSettingError(`heartbeat=... of ${url.host} must be 1 to 300 seconds`);
  const interval = query.get('interval');
  const intervalS = Number(interval);
  if (interval !== null && !(Number.isInteger(intervalS) && intervalS >= 1 && intervalS <= 300))
    throw new FeedSettingError(`interval=... of ${url.host} must be 1 to 300 seconds, the smallest between two Logons`);
  if (url.port === '') throw new FeedSettingError(`${url.host} needs a port; write ${ACCEPTED}`);
  const symbols = query.get('symbols');
  const amount = Number(query.get('amount') ?? 1_000_000);
  if (!(Number.isInteger(amount) && amount >= 1 && amount <= 1_000_000_000_000))
    throw new FeedSettingError(`amount=... of ${url.host} must be whole units of the first currency`);

  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port),
    isTls: url.protocol === 'fixs:',
    provider: compId('provider', url.host.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 32)),
    beginString: `FIX.${pick(
      'version',
      '4.4',
      new Map([
        ['4.2', '4.2'],
        ['4.3', '4.3'],
        ['4.4', '4.4'],
      ] as const),
    )}`,
    senderCompId: compId('sender', null),
    targetCompId: compId('target', null),
    heartBtInt,
    reconnect: interval === null ? RECONNECT : { waitsMs: [intervalS * 1_000] },
    resetOnLogon: pick(
      'reset',
      'Y',
      new Map([
        ['Y', true],
        ['N', false],
      ]),
    ),
    logonFields: [...userFields(url), ...extraFields(query)],
    pairs: symbols === null ? DIRECT_PAIRS.map((pair) => pair.index) : symbolsOf(symbols).map((pair) => pair.index),
    between: pick('style', 'EUR/USD', BETWEEN),
    updateType: pick(
      'update',
      '0',
      new Map([
        ['0', 0],
        ['1', 1],
        ['none', undefined],
      ] as const),
    ),
    request: pick(
      'request',
      'V',
      new Map([
        ['V', 'V'],
        ['R', 'R'],
      ] as const),
    ),
    amount,
    dictionary: dictionaryOf(query.get('dictionary'), url.host),
    depth: pick('depth', '1', new Map(Array.from({ length: MAX_LEVELS + 1 }, (_, depth) => [String(depth), depth]))),
  };
}

/** A provider's fields beyond FIX are in a dictionary of its own, never in the one that desks have. */
function dictionaryOf(path: string | null, host: string): Dictionary | 'none' {
  if (path === null) return 'none';
  try {
    return Dictionary.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FeedSettingError(`dictionary=... of ${host} is no dictionary of FIX messages: ${reason.slice(0, 200)}`);
  }
}

function userFields(url: URL): readonly Field[] {
  return url.username === ''
    ? []
    : [
        [Tag.Username, decodedUserPart(url.username)],
        [Tag.Password, decodedUserPart(url.password)],
      ];
}

// `logon.96=abc`: what some providers require beyond user and password.
function extraFields(query: URLSearchParams): readonly Field[] {
  return [...query].flatMap(([name, value]): Field[] => {
    return name.startsWith('logon.') ? [[Number(name.slice('logon.'.length)), value]] : [];
  });
}
