/** `ratewire messages`: the message log, printed, decoded, searched for one order, and verified. */
import type { Command } from 'commander';
import { refuseField } from '../../domain/core/refusal.js';
import { RefusedError } from '../ask.js';
import { type Answer, REFUSED, type RunAlone } from '../run.js';
import { Shown, showRows } from '../show.js';
import { timeOption } from '../time-option.js';
import { shownJson, shownLine } from '../unshown.js';

const HOW = `
Every FIX message in (<) and out (>) of every session, of desks and of providers, with the time of this machine (UTC, microseconds), events (*)
and input that was no message (!). It reads DATA_DIR/messages of this machine, also while engines write; they write a block each second. Prices
are in it with MESSAGE_LOG=prices. Credentials and tokens are not: each character is a *. The separator is shown as |.
--clordid finds the order with that ClOrdID(11), its quote, its request and its reports, by the ids that they share. --share masks
accounts, Account(1), BuyAccount(20007) and SellAccount(20008), to their last four characters: for what leaves the firm.
With --json each line is an object.

Examples:
  ratewire messages --session ACME1 --from 2026-11-20T08:00:00Z --to 2026-11-20T08:05:00Z --decode
  ratewire messages show --session ACME1 --from 2d --clordid ORD-4711 --decode --share > request.txt
  ratewire messages verify`;

const VERIFY = `
Each block of lines has an HMAC over its day, times and lines and the block before, over all files of an engine. The first place that was
changed, removed or written without the key is named. That the last blocks are missing is known from the file .head of the folder, which has
no HMAC: keep a head (number and HMAC) elsewhere and give it with --head. Files that were moved away from the start are reported by
the number of the first file. Exit code 1: a chain is broken.

Examples:
  ratewire messages verify
  ratewire messages verify --head 1:9182:5f0c5d0f3e6c1b7a9d8e2f4a6b8c0d1e3f5a7b9c1d3e5f7a9b1c3d5e7f9a0b2c`;

const DAY_MS = 86_400_000;

interface Options {
  readonly session?: string;
  readonly from?: number;
  readonly to?: number;
  readonly clordid?: string;
  readonly decode?: boolean;
  readonly share?: boolean;
}

export function addMessageCommands(program: Command, alone: RunAlone): void {
  const messages = program
    .command('messages')
    .description('the FIX messages of every session, from the message log')
    .addHelpText('after', HOW);
  messages
    .command('show', { isDefault: true })
    .description('its lines, oldest first (also: ratewire messages)')
    .option('--session <compid>', 'of the desk or provider with this CompID alone')
    .addOption(
      timeOption('--from <time>', 'from this time, included, or so long ago: 30m, 2h, 2d (default: today, 00:00 UTC)'),
    )
    .addOption(timeOption('--to <time>', 'until this time, included'))
    .option('--clordid <id>', 'of this order, its quote and its reports alone')
    .option('--decode', 'with names of messages, fields and values')
    .option('--share', 'with accounts masked to the last four characters')
    .addHelpText('after', HOW)
    .action((options: Options) => print(options, program.opts<{ json?: boolean }>().json === true));
  messages
    .command('verify')
    .description('check the chains of the message log, and name the first block that is broken')
    .option(
      '--head <engine:number:hmac>',
      'a head that must be in a chain',
      (head: string, all: string[]) => [...all, head],
      [],
    )
    .addHelpText('after', VERIFY)
    .action(({ head }: { readonly head: readonly string[] }) => alone(() => verified(head)));
}

async function print({ session, from, to, clordid, decode, share }: Options, json: boolean): Promise<void> {
  const fromMs = from ?? Math.floor(Date.now() / DAY_MS) * DAY_MS;
  if (to !== undefined && to < fromMs) throw new RefusedError(refuseField('to', 'not before --from'));
  const { configuredMessageLog } = await import('../operator.js');
  const { messagesOfOrder, readMessages } = await import('../../service/audit/message-log.js');
  const { decoder, jsonOf, plainLine, withoutAccounts } = await import('./message-text.js');
  const { directory } = configuredMessageLog();
  const damaged = new Set<string>();
  const filter = { compId: session, fromMs, toMs: to, onDamaged: (place: string) => void damaged.add(place) };
  const lines = clordid === undefined ? readMessages(directory, filter) : messagesOfOrder(directory, filter, clordid);
  const text = decode ? decoder() : plainLine;
  let found = 0;
  for (const line of lines) {
    found++;
    const shown = share ? withoutAccounts(line) : line;
    const object = decode ? { ...jsonOf(shown), decoded: text(shown) } : jsonOf(shown);
    await toStdout(json ? `${shownJson(JSON.stringify(object))}\n` : `${shownLine(text(shown))}\n`);
  }
  for (const place of damaged)
    process.stderr.write(`${place} has a block that cannot be read: ratewire messages verify\n`);
  if (found === 0) process.stderr.write(`none in ${shownLine(directory)}\n`);
}

function toStdout(text: string): Promise<void> | undefined {
  if (process.stdout.write(text)) return undefined;
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

async function verified(heads: readonly string[]): Promise<Answer> {
  const { configuredMessageLog } = await import('../operator.js');
  const { verifyMessages } = await import('../../service/audit/message-log.js');
  const { directory, key } = configuredMessageLog();
  if (key === undefined) throw new RefusedError(refuseField('MASTER_KEY', 'set, or DATA_DIR with master.key'));
  const chains = verifyMessages(directory, key, heads);
  const rows = chains.map(({ folder: engine, files, firstFile, number, mac, broken }) => ({
    engine,
    files,
    firstFile,
    blocks: number,
    head: `${engine}:${number}:${mac}`,
    brokenAt: broken?.place ?? '',
    why: broken?.why ?? '',
  }));
  const isBroken = chains.some(({ broken }) => broken !== undefined);
  return new Shown(rows, () => showRows(rows), isBroken ? REFUSED : 0);
}
