import type { HandClock } from './session-harness.js';
import { Peer } from './session-peer.js';

/** The versions of the scripts, oldest first: 5.0 and its service packs are FIXT.1.1 with that DefaultApplVerID(1137). */
export const SCRIPT_VERSIONS = ['4.0', '4.1', '4.2', '4.3', '4.4', '5.0', '5.0SP1', '5.0SP2'] as const;
export type ScriptVersion = (typeof SCRIPT_VERSIONS)[number];

/** Where a script is played: an acceptor of one version, whose clock only the script turns. */
export interface Stage {
  readonly port: number;
  readonly version: ScriptVersion;
  /** CompID of the peer. */
  readonly peer: string;
  readonly clock: HandClock;
}

/**
 * A script is one rule of the session layer, line by line:
 *
 *     versions 4.2+              the versions that have the rule: all of them without this line
 *     connect, close             of connection 1; `2 connect` of connection 2
 *     pass 30                    so many seconds, on both clocks of the acceptor
 *     > 35=0|34=2                sent; 49, 52 and 56 are added after 34 unless they are given (`-56`: left out)
 *     >> 35=0|34=2|...           sent unchanged, only 8, 9 and 10 are added where missing (`9=+12`: 12 too long)
 *     >> raw 35=0|...            sent unchanged
 *     < 35=0|34=2                the next message is exactly this; 8, 9, 10, 49, 52 and 56 are implied
 *     < closed                   nothing more comes, and the connection is closed
 *
 * A line that begins with `@4.2+`, `@-4.1`, `@4.2-4.4` or `@4.3` is of those versions only, as is a field `60@4.2+=...`. In place of
 * `{now}`, `{now-121}` comes the time, so many seconds from now, in the form of the version; of `{order EUR/USD}` a NewOrderSingle(D) with
 * what the version requires, of `{bad-order}` one with OrdType(40)=w; of `{end}` the EndSeqNo(16) of an open ResendRequest(2), of `{begin}`,
 * `{appl}` and `{peer}` BeginString(8), DefaultApplVerID(1137) and the peer's CompID.
 *
 * A Logon(A) of FIXT.1.1 has DefaultApplVerID(1137) at its end (`-1137`: left out). An expected Reject(3) is written with all its fields: before
 * FIX 4.2 the tag is in the text instead, and FIX 4.2 has no SessionRejectReason(373) above 11.
 */
export async function play(script: string, stage: Stage): Promise<void> {
  const peers = new Map<string, Peer>();
  try {
    let line = 0;
    for (const text of script.split('\n')) {
      line++;
      const [, range, rest] = /^(?:@(\S+) )?(.*)$/.exec(text)!;
      if (range !== undefined && !isIn(range, stage.version)) continue;
      const step = /^(\d?) ?(connect|close|pass|>>|>|<) ?(.*)$/.exec(rest!);
      if (step === null) {
        if (!/^(#.*|versions \S+)?$/.test(rest!)) throw new Error(`line ${line} is no step: ${text}`);
        continue;
      }
      const [, id = '', verb, argument = ''] = step;
      try {
        await perform(peers, id, verb!, argument, stage);
      } catch (error) {
        throw new Error(`line ${line}: ${text}\n${(error as Error).message}`);
      }
    }
  } finally {
    for (const peer of peers.values()) peer.close();
  }
}

/** Whether a script holds for a version. */
export function holdsFor(script: string, version: ScriptVersion): boolean {
  const range = /^versions (\S+)$/m.exec(script)?.[1];
  return range === undefined || isIn(range, version);
}

/** `4.2+`, `-4.1`, `4.2-4.4`, `4.2`. */
function isIn(range: string, version: ScriptVersion): boolean {
  const [, from = '', to = ''] = /^([\d.SP]*)(\+|-[\d.SP]+)?$/.exec(range) ?? [];
  const first = from === '' ? 0 : SCRIPT_VERSIONS.indexOf(from as ScriptVersion);
  const last = to === '' ? first : to === '+' ? Infinity : SCRIPT_VERSIONS.indexOf(to.slice(1) as ScriptVersion);
  if (first < 0 || last < first) throw new Error(`${range} is no range of versions`);
  const at = SCRIPT_VERSIONS.indexOf(version);
  return first <= at && at <= last;
}

async function perform(
  peers: Map<string, Peer>,
  id: string,
  verb: string,
  argument: string,
  stage: Stage,
): Promise<void> {
  if (verb === 'connect') {
    peers.set(id, await Peer.open(stage.port));
    return;
  }
  if (verb === 'pass') {
    stage.clock.wallMs += Number(argument) * 1000;
    stage.clock.monotonicMs += Number(argument) * 1000;
    return;
  }
  const peer = peers.get(id)!;
  const text = filled(argument, stage);
  if (verb === 'close') peer.close();
  else if (verb === '>>' && text.startsWith('raw ')) peer.write(`${text.slice(4).replaceAll('|', '\x01')}\x01`);
  else if (verb === '>>') peer.send(withBegin(text, stage));
  else if (verb === '>') peer.send(withBegin(withHeader(text, stage), stage));
  else if (text === 'closed') {
    const said = await peer.closed();
    if (said !== '') throw new Error(`closed, but said before: ${said}`);
  } else compare(text, await peer.next(), stage);
}

const FIXT = '5.0+';
const APPL_VER_IDS: Readonly<Record<string, string>> = { '5.0': '7', '5.0SP1': '8', '5.0SP2': '9' };

function beginString({ version }: Stage): string {
  return isIn(FIXT, version) ? 'FIXT.1.1' : `FIX.${version}`;
}

/** The text with its placeholders filled in, and without the fields of other versions. */
function filled(text: string, stage: Stage): string {
  const { version } = stage;
  const isOld = isIn('-4.1', version);
  const order = (symbol: string, ordType = '1'): string =>
    `11=desk-1|21=3|38=100|40=${ordType}|54=1|55=${symbol}|60@4.2+={now}`;
  const whole = text
    .replace(/\{order (\S+?)\}/g, (_, symbol: string) => order(symbol))
    .replaceAll('{bad-order}', order('EUR/USD', 'w'))
    .replaceAll('{end}', isOld ? '999999' : '0')
    .replaceAll('{begin}', beginString(stage))
    .replaceAll('{appl}', APPL_VER_IDS[version] ?? '')
    .replaceAll('{peer}', stage.peer)
    .replace(/\{now([+-]\d+)?\}/g, (_, seconds?: string) => time(stage, Number(seconds ?? 0)));
  return whole
    .split('|')
    .flatMap((field) => {
      const [, tag, range, value] = /^(\d+)@([^=]+)(=.*)$/.exec(field) ?? [];
      return range === undefined ? [field] : isIn(range, version) ? [`${tag}${value}`] : [];
    })
    .join('|');
}

/** In whole seconds before FIX 4.2. */
function time({ clock, version }: Stage, seconds = 0): string {
  const [date, ofDay] = new Date(clock.wallMs + seconds * 1000).toISOString().split('T') as [string, string];
  return `${date.replaceAll('-', '')}-${ofDay.slice(0, isIn('-4.1', version) ? 8 : 12)}`;
}

function withBegin(text: string, stage: Stage): string {
  return /(^|\|)8=/.test(text) ? text : `8=${beginString(stage)}|${text}`;
}

function withHeader(text: string, stage: Stage): string {
  const fields = withApplVerId(text.split('|'), stage);
  const given = new Set(fields.map((field) => field.split('=')[0]));
  const header = [`49=${stage.peer}`, `52=${time(stage)}`, '56=ISLD'].filter((field) => {
    const tag = field.slice(0, 2);
    return !given.has(tag) && !given.has(`-${tag}`);
  });
  const after = fields.findIndex((field) => field.startsWith('34='));
  return [...fields.slice(0, after + 1), ...header, ...fields.slice(after + 1)]
    .filter((field) => !/^-\d+$/.test(field))
    .join('|');
}

function withApplVerId(fields: readonly string[], { version }: Stage): readonly string[] {
  const isNamed = isIn(FIXT, version) && fields.includes('35=A') && !fields.includes('-1137');
  return isNamed ? [...fields, `1137=${APPL_VER_IDS[version]}`] : fields;
}

const HEADER = new Set([
  '34',
  '43',
  '49',
  '50',
  '52',
  '56',
  '57',
  '97',
  '115',
  '116',
  '122',
  '128',
  '129',
  '144',
  '145',
]);

function compare(expected: string, actual: string | undefined, stage: Stage): void {
  if (actual === undefined) throw new Error('the connection is closed');
  const [type, ...fields] = inVersion(withApplVerId(expected.split('|'), stage), stage);
  const tagOf = (field: string): string => field.split('=', 1)[0]!;
  const own = ['49=ISLD', `52=${time(stage)}`, `56=${stage.peer}`];
  const header = [...fields.filter((field) => HEADER.has(tagOf(field))), ...own];
  header.sort((a, b) => Number(tagOf(a)) - Number(tagOf(b)));
  const body = fields.filter((field) => !HEADER.has(tagOf(field)));
  const whole = [`8=${beginString(stage)}`, '9=*', type!, ...header, ...body, '10=*'];
  const got = actual.slice(0, -1).split('|');
  const same = whole.length === got.length && whole.every((field, i) => isSame(field, got[i]!));
  if (!same) throw new Error(`expected ${whole.join('|')}\ngot      ${actual}`);
}

/** A Reject(3) as the version has it. */
function inVersion(fields: readonly string[], { version }: Stage): readonly string[] {
  if (fields[0] !== '35=3') return fields;
  if (isIn('4.2', version)) return fields.filter((field) => !/^373=1[2-9]$/.test(field));
  if (!isIn('-4.1', version)) return fields;
  const tag = fields.find((field) => field.startsWith('371='))?.slice(4);
  return fields
    .filter((field) => !/^37[123]=/.test(field))
    .map((field) => (field.startsWith('58=') && tag !== undefined ? `${field} (${tag})` : field));
}

function isSame(expected: string, actual: string): boolean {
  return expected.endsWith('=*') ? actual.startsWith(expected.slice(0, -1)) : expected === actual;
}
