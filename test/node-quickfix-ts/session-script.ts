import { Peer, utc } from './session-peer.js';

/**
 * A script is one rule of the session layer, line by line:
 *
 *     connect, close             of connection 1; `2 connect` of connection 2
 *     > 35=0|34=2                sent; 49, 52 and 56 are added after 34 unless they are given (`-56`: left out)
 *     >> 35=0|34=2|...           sent unchanged, only 8, 9 and 10 are added where missing (`9=+12`: 12 too long)
 *     >> raw 35=0|...            sent unchanged
 *     < 35=0|34=2                the next message is exactly this; 8, 9, 10, 49, 52 and 56 are implied, `*` is any value
 *     < closed                   nothing more comes, and the connection is closed
 *
 * `{now}`, `{now-121}`: UTC, so many seconds from now.
 */
export async function play(script: string, port: number): Promise<void> {
  const peers = new Map<string, Peer>();
  try {
    let line = 0;
    for (const text of script.split('\n')) {
      line++;
      const step = /^(\d?) ?(connect|close|>>|>|<) ?(.*)$/.exec(text);
      if (step === null) {
        if (text !== '' && !text.startsWith('#')) throw new Error(`line ${line} is no step: ${text}`);
        continue;
      }
      const [, id = '', verb, rest = ''] = step;
      try {
        await perform(peers, id, verb!, rest, port);
      } catch (error) {
        throw new Error(`line ${line}: ${text}\n${(error as Error).message}`);
      }
    }
  } finally {
    for (const peer of peers.values()) peer.close();
  }
}

async function perform(peers: Map<string, Peer>, id: string, verb: string, rest: string, port: number): Promise<void> {
  if (verb === 'connect') {
    peers.set(id, await Peer.open(port));
    return;
  }
  const peer = peers.get(id)!;
  if (verb === 'close') peer.close();
  else if (verb === '>>' && rest.startsWith('raw ')) peer.write(`${timed(rest.slice(4)).replaceAll('|', '\x01')}\x01`);
  else if (verb === '>>') peer.send(timed(rest));
  else if (verb === '>') peer.send(timed(withHeader(rest)));
  else if (rest === 'closed') {
    const said = await peer.closed();
    if (said !== '') throw new Error(`closed, but said before: ${said}`);
  } else compare(rest, await peer.next());
}

// One moment for a whole message: an OrigSendingTime(122) written a millisecond after SendingTime(52) would be refused.
function timed(text: string): string {
  const moments = new Map<string, string>();
  return text.replace(/\{now([+-]\d+)?\}/g, (which, seconds?: string) => {
    const moment = moments.get(which) ?? utc(Number(seconds ?? 0));
    moments.set(which, moment);
    return moment;
  });
}

function withHeader(text: string): string {
  const fields = text.split('|');
  const given = new Set(fields.map((field) => field.split('=')[0]));
  const header = ['49=TW44', '52={now}', '56=ISLD'].filter((field) => {
    const tag = field.slice(0, 2);
    return !given.has(tag) && !given.has(`-${tag}`);
  });
  const after = fields.findIndex((field) => field.startsWith('34='));
  return [...fields.slice(0, after + 1), ...header, ...fields.slice(after + 1)]
    .filter((field) => !/^-\d+$/.test(field))
    .join('|');
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

function compare(expected: string, actual: string | undefined): void {
  if (actual === undefined) throw new Error('the connection is closed');
  const [type, ...fields] = expected.split('|');
  const tagOf = (field: string): string => field.split('=', 1)[0]!;
  const header = [...fields.filter((field) => HEADER.has(tagOf(field))), '49=ISLD', '52=*', '56=TW44'];
  header.sort((a, b) => Number(tagOf(a)) - Number(tagOf(b)));
  const body = fields.filter((field) => !HEADER.has(tagOf(field)));
  const whole = ['8=FIX.4.4', '9=*', type!, ...header, ...body, '10=*'];
  const got = actual.slice(0, -1).split('|');
  const same = whole.length === got.length && whole.every((field, i) => isSame(field, got[i]!));
  if (!same) throw new Error(`expected ${whole.join('|')}\ngot      ${actual}`);
}

function isSame(expected: string, actual: string): boolean {
  return expected.endsWith('=*') ? actual.startsWith(expected.slice(0, -1)) : expected === actual;
}
