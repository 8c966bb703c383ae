/**
 * The atomic steps: Lua files beside the store's calls that use them, read once, sent by their SHA-1. A step declares the names of its keys and arguments
 * once; the types of its callers and the locals of its script derive from that declaration, and no other code depends on their order.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type LedgerKeys, ledgerKeys, migrationGuardKey } from '../keys/redis-keys.js';
import { checkNames, sharedParts, topLevel, withNeededParts } from './lua-names.js';

export interface Script {
  /** The file, without `.lua`. */
  readonly name: string;
  readonly sha: string;
  readonly text: string;
  /** It uses the time: its first argument is what its sender expects the server's clock to say. */
  readonly isTimed: boolean;
}

/** As the script receives it: true is '1', false and an absent value are '' (so that no flag may be absent), a number is its digits. */
type Value = string | Buffer | number | bigint | boolean;
type Values = readonly (string | Buffer)[];

type Optional<Name> = Name extends `${infer Plain}?` ? Plain : never;
type Required<Name> = Name extends `${string}?` ? never : Name;
type Named<Name extends string, Kind> = { readonly [N in Required<Name>]: Kind } & {
  readonly [N in Optional<Name>]?: Exclude<Kind, boolean> | undefined;
};

export interface Step<Keys, Args> extends Script {
  /** In the order of the declaration, as EVALSHA takes them. */
  order(keys: Keys, args: Args): [keys: string[], args: (string | Buffer)[]];
}

/** What a step is called with. */
export type CallOf<S> = S extends Step<infer Keys, infer Args> ? [keys: Keys, args: Args] : never;

/** Names in camelCase; in Lua they are locals in snake_case. One that ends with `?` may be left out. */
interface Declaration<Key extends string, Arg extends string, Rest extends string> {
  /** The first is required: it determines the slot of the step. */
  readonly keys: readonly Key[];
  /**
   * Further keys of the client that the first key is of, or of its shard: the script makes their names from the first. A key that is sent takes
   * a third of a microsecond in Redis, and as much in the process that sends it.
   */
  readonly derived?: readonly DerivedKey[];
  readonly args?: readonly Arg[];
  /**
   * It gives back, ends or stops something, keeps a program, session or delivery alive in bounded room: it is also executed where
   * the server's memory is full. Any other step is refused there before its first command, so that none is done by half.
   */
  readonly inReserve?: true;
  /** It writes nothing: it is executed whatever a server does not accept writes for. */
  readonly readsOnly?: true;
  /** A list of any length after the arguments: a table in Lua. */
  readonly rest?: Rest;
  /** The files with functions beyond those of clock.lua, prelude.lua and events.lua. */
  readonly uses?: readonly Shared[];
}

/** Those without an id in them. */
type DerivedKey = { [Name in keyof LedgerKeys]: LedgerKeys[Name] extends string ? Name : never }[keyof LedgerKeys];

const lua = (beside: string, file: string): string => readFileSync(new URL(`${file}.lua`, beside), 'utf8');
/** Before clock.lua: the first key, and `{sNN}` of the client's shard, where that key has it. */
const SLOT_TAG = 'local first_key = KEYS[1]\nlocal slot_tag = string.sub(first_key, 1, 5)\n';
/** Redis reads the flags of a script from its first line. */
const IN_RESERVE = '#!lua flags=allow-oom\n';
const READS_ONLY = '#!lua flags=no-writes\n';
const UNLESS_FULL = '#!lua\n';
/** Of a step that uses the time: before clock.lua too. */
const EXPECTED_MS = 'local expected_ms = ARGV[1]\n';
/** Files of functions that several steps share, by their folder; those of one may use those of the files above it. */
const SHARED = {
  clock: 'ledger',
  prelude: 'ledger',
  events: 'events',
  holds: 'conversions',
  groups: 'platforms',
  limits: 'risk',
  payments: 'payments',
  positions: 'risk',
  receivables: 'accounts',
  platforms: 'platforms',
  batches: 'batches',
} as const;
/** Those that a step need not name: nearly all change what a client may subscribe to. */
const FOR_ALL: readonly string[] = ['clock', 'prelude', 'events'];
type Shared = keyof typeof SHARED;
const known = new Set(['first_key', 'slot_tag', 'expected_ms']);
const parts = Object.entries(SHARED).flatMap(([name, folder]) => {
  const text = lua(import.meta.url, `../${folder}/${name}`);
  checkNames(name, text, [], known);
  for (const one of topLevel(text)) known.add(one);
  return sharedParts(text).map((part) => ({ ...part, file: name }));
});
/** The names that a step of these files can use. */
const namesFor = (uses: readonly Shared[]): Set<string> =>
  new Set([
    'first_key',
    'slot_tag',
    ...parts.filter(({ file }) => FOR_ALL.includes(file) || uses.some((name) => name === file)).map(({ name }) => name),
  ]);

type Declared<Key extends string, Arg extends string, Rest extends string> = Step<
  Named<Key, string>,
  [Arg | Rest] extends [never] ? Readonly<Record<string, never>> : Named<Arg, Value> & { readonly [N in Rest]: Values }
>;

/**
 * The step of a Lua file: beside the module whose `import.meta.url` this is, or at a relative path from it. Throws where the script uses a name
 * that is neither declared nor its own, or leaves a declared one unused.
 */
export function step<const Key extends string, const Arg extends string = never, const Rest extends string = never>(
  beside: string,
  file: string,
  declaration: Declaration<Key, Arg, Rest>,
): Declared<Key, Arg, Rest> {
  return assemble(basename(file), lua(beside, file), declaration);
}

/** Of a script's own text: for tests. */
export function assemble<const Key extends string, const Arg extends string = never, const Rest extends string = never>(
  name: string,
  body: string,
  { keys, derived = [], args = [], rest, uses = [], inReserve, readsOnly }: Declaration<Key, Arg, Rest>,
): Declared<Key, Arg, Rest> {
  const [keyNames, argNames] = [keys.map(plain), args.map(plain)];
  const declared = [...keyNames, ...derived, ...argNames, ...(rest === undefined ? [] : [rest])].map(snakeCase);
  if (keys[0] === undefined || keys[0].endsWith('?')) throw new Error(`${name}: the first key of a step is required`);
  const used = checkNames(name, body, declared, namesFor(uses));
  const mayEndEarly = derived.length > 0;
  const isTimed = used.has('step_now');
  const before = isTimed ? 1 : 0;
  const own = [
    locals(
      keyNames,
      keys.map((key, i) => `KEYS[${i + 1}]${mayEndEarly && key.endsWith('?') ? ' or no_key' : ''}`),
    ) +
      locals(derived, derived.map(derivedName)) +
      locals(
        argNames,
        args.map((arg, i) => `ARGV[${i + 1 + before}]${arg.endsWith('?') ? " or ''" : ''}`),
      ),
    ...(rest === undefined ? [] : [list(snakeCase(rest), args.length + before)]),
    body,
  ].join('\n');
  const text =
    (readsOnly ? READS_ONLY : inReserve ? IN_RESERVE : UNLESS_FULL) +
    SLOT_TAG +
    (isTimed ? EXPECTED_MS : '') +
    withNeededParts(parts, used, (mayEndEarly ? OF_CLIENT : '') + own);
  return {
    name,
    text,
    sha: createHash('sha1').update(text).digest('hex'),
    isTimed,
    order(namedKeys, namedArgs) {
      const [givenKeys, givenArgs] = [
        namedKeys as Record<string, string>,
        namedArgs as Record<string, Value | undefined>,
      ];
      // Nothing is stored under it.
      const absent = migrationGuardKey(givenKeys[keyNames[0]!]!);
      const values = argNames.map((arg) => textOf(givenArgs[arg]));
      if (rest !== undefined) for (const value of givenArgs[rest] as unknown as Values) values.push(value);
      // What is absent at the end is not sent.
      else while (values.at(-1) === '' && args[values.length - 1]!.endsWith('?')) values.pop();
      if (isTimed) values.unshift('');
      const names = keyNames.map((key) => givenKeys[key] ?? absent);
      if (mayEndEarly) while (names.at(-1) === absent) names.pop();
      return [names, values];
    },
  };
}

/** Before the derived keys: `{sNN}:client:<id>:` of the first key, and the key in place of an absent one at the end. */
const OF_CLIENT = `local own_prefix = string.match(KEYS[1], '^{s%d%d}:client:[^:]*:')
local no_key = slot_tag .. ':migration-guard'
`;
const SAMPLE = ledgerKeys({ id: 'x', shard: 0 });
const [SAMPLE_OWN, SAMPLE_TAG] = ['{s00}:client:x:', '{s00}'];

/** How the script makes the name: from that of a sample client, so that redis-keys.ts alone has the words. */
function derivedName(key: DerivedKey): string {
  const name = SAMPLE[key];
  return name.startsWith(SAMPLE_OWN)
    ? `own_prefix .. '${name.slice(SAMPLE_OWN.length)}'`
    : `slot_tag .. '${name.slice(SAMPLE_TAG.length)}'`;
}

function textOf(value: Value | undefined): string | Buffer {
  if (typeof value === 'string') return value;
  if (value === undefined || value === false) return '';
  if (value === true) return '1';
  return typeof value === 'object' ? value : String(value);
}

const plain = (name: string): string => name.replace(/\?$/, '');
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const locals = (names: readonly string[], values: readonly string[]): string =>
  names.length === 0 ? '' : `local ${names.map(snakeCase).join(', ')} = ${values.join(', ')}\n`;

/** A loop: unpack() fails on a list of some thousands. */
const list = (name: string, after: number): string =>
  `local ${name} = {}\nfor i = ${after + 1}, #ARGV do ${name}[i - ${after}] = ARGV[i] end`;
