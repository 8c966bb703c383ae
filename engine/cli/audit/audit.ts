/** What operators have changed. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import { REFUSED, type Run } from '../run.js';
import { isoTime, outsideName, Shown, shownList, showRows } from '../show.js';
import { timeOption } from '../time-option.js';

type Change = OutputOf<'readAudit'>['changes'][number];

const HOW = `
Every command that changes something is recorded before and after it, with its operator. A change that cannot be recorded is not made. No
command removes an entry. Commands that only read leave no entry, and secrets are never in one. So is what clients change of their webhook
endpoints and beneficiaries, and platforms of their sub-clients.
  operator   the account of the operating system, on its host; before it the name of --as or RATEWIRE_OPERATOR, which is not verified.
             Of a client's change its id and the key: client acme, key CK_...
  outcome    done; a refusal's code, and nothing was changed; or unknown: the command ended half-way, so check whether it took effect
Times are those of the store. With --json each entry is complete: the request, and the values before and after.

Entries are numbered and chained by HMACs that need the master key: \`ratewire audit verify\` finds one that was removed or changed. AUDIT_LOG
also sends each entry to a file or a syslog server.

Examples:
  ratewire audit --limit 20
  ratewire audit verify
  ratewire audit --subject "client acme" --since 2026-11-01
  ratewire audit --operator anna --since 2026-11-20T08:00:00Z --json`;

const VERIFY = `
Every entry from the first: a removed, changed or rechained one is named, the first place alone, and the exit code is 1. Keep the head that is
shown outside the store: with --head, an end that was cut off is found too. Each line that AUDIT_LOG has sent is such a head: its number and
mac.

Examples:
  ratewire audit verify
  ratewire audit verify --head 17:5f0c5d0f3e6c1b7a9d8e2f4a6b8c0d1e3f5a7b9c1d3e5f7a9b1c3d5e7f9a0b2c`;

export function addAuditCommand(program: Command, run: Run): void {
  const audit = program.command('audit').description('what operators have changed').addHelpText('after', HOW);
  audit
    .command('verify')
    .description('check the chain of the audit log, and name the first entry that is broken')
    .option('--head <number:mac>', 'a head that is known from outside the store: the chain must have it')
    .addHelpText('after', VERIFY)
    .action(({ head: known }) => run(async (ask) => verified(await ask('verifyAudit', { known }))));
  audit
    .command('show', { isDefault: true })
    .description('what operators have changed, newest first (also: ratewire audit)')
    .option('--subject <text>', 'of what has this in its name: a client, an account, a CompID, a payment')
    .option('--operator <name>', 'by whom has this in the name')
    .addOption(
      timeOption('--since <time>', 'not before this time: 2026-11-20, 2026-11-20T08:00:00Z, or 7d for seven days ago'),
    )
    .option('--limit <n>', 'how many, 1 to 1000', Number, 50)
    .addHelpText('after', HOW)
    .action(({ subject, operator, since: sinceMs, limit }) =>
      run(async (ask) => {
        const { changes } = await ask('readAudit', { subject, operator, sinceMs, limit });
        return shownList(changes, row, wholeRow);
      }),
    );
}

function verified({ entries, number, mac, lastEntry, broken }: OutputOf<'verifyAudit'>): Shown {
  const json = { entries, number, mac, last_entry: lastEntry, broken: broken ? [broken] : [] };
  const seen = `${entries} entries. Head ${number}:${mac || 'none'}`;
  const text = () => (broken ? `${showRows([broken])}${seen}\n` : `Every entry holds: ${seen}\n`);
  return new Shown(json, text, broken ? REFUSED : 0);
}

function row(change: Change): object {
  const { atMs, who, operation, subject, outcome } = change;
  return { at: isoTime(atMs), operator: who, operation, subject, change: changed(change), outcome };
}

function wholeRow({ id, atMs, who, operation, subject, input, before, after, made, outcome }: Change): object {
  const states = { before: outside(before), after: outside(after), made };
  return { at: isoTime(atMs), operator: who, operation, subject, outcome, ...states, input: outside(input), entry: id };
}

/** A line for each field that is another one behind the change. */
function changed({ before = {}, after = {}, made, outcome }: Change): string {
  if (outcome === 'unknown') return '';
  const [was, is] = [before, after].map(
    (state) => new Map(Object.entries(outside(state) as object).map(([name, at]) => [name, text(at)])),
  );
  const names = [...new Set([...was!.keys(), ...is!.keys()])].filter((name) => was!.get(name) !== is!.get(name));
  const lines = names.map((name) => `${name}: ${was!.get(name) ?? ''} -> ${is!.get(name) ?? ''}`);
  return [...(made ? [made] : []), ...lines].join('\n');
}

/** With the names of the other commands, and times for people in place of epoch milliseconds. */
function outside(state: unknown): unknown {
  if (Array.isArray(state)) return state.map(outside);
  if (typeof state !== 'object' || state === null) return state;
  const named = Object.entries(state).map(([name, value]) => {
    const isTime = name.endsWith('Ms') && typeof value === 'number';
    return isTime ? [outsideName(name.slice(0, -2)), isoTime(value)] : [outsideName(name), outside(value)];
  });
  return Object.fromEntries(named);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
