/** `npx node-quickfix-ts`: the command line. A mistake is one line on stderr and exit code 1. */
import { parseArgs } from 'node:util';
import { generate } from '../generate/generate.js';
import { dictionaryCommand } from './dictionary.js';

const USAGE = `node-quickfix-ts generate <dictionary.xml>... --out <folder> [options]
  Writes constants, enumerations and message types in TypeScript. Several dictionaries are merged: that of FIXT.1.1 and
  that of an application version, or a standard one and a venue's own fields. QuickFIX XML or FIX Orchestra.
    --out <folder>         folder of the generated modules; what an earlier run has written there is replaced
    --messages <D,8,...>   these messages alone, by MsgType or name, with the fields that they use
    --only <tags,...>      of tags, msg-types and values these alone, without messages
    --fields <11,Side,...> with --only: these fields alone, by tag or name

node-quickfix-ts dictionary check <dictionary.xml>...
  Lists what is wrong with each; exit code 1 when one has an error.

node-quickfix-ts dictionary merge <dictionary.xml>... [--out <merged.xml>]
  Writes one dictionary as QuickFIX XML: fields, messages, components and groups of the same name are one, with the fields
  of all. One FIX Orchestra file is converted.

node-quickfix-ts dictionary show <dictionary.xml> [<D|NewOrderSingle|54|Side>...]
  Prints its messages, or those messages and fields.
`;

/** Runs one command; returns its exit code. */
export function main(args: readonly string[], write: (text: string) => void, fail: (text: string) => void): number {
  const [command = '--help', ...rest] = args;
  try {
    const run = COMMANDS[command];
    if (run === undefined) throw new Error(`unknown command ${command}; node-quickfix-ts --help lists them`);
    return run(rest, write);
  } catch (error) {
    fail(`node-quickfix-ts: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`);
    return 1;
  }
}

export type Command = (args: string[], write: (text: string) => void) => number;

const help: Command = (_, write) => {
  write(USAGE);
  return 0;
};

const COMMANDS: Readonly<Record<string, Command | undefined>> = {
  '--help': help,
  '-h': help,
  help,
  dictionary: dictionaryCommand,
  generate(args, write) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        messages: { type: 'string', multiple: true },
        only: { type: 'string', multiple: true },
        fields: { type: 'string', multiple: true },
      },
    });
    if (positionals.length === 0) throw new Error('generate: name at least one dictionary');
    if (values.out === undefined) throw new Error('generate: name the folder of the output with --out');
    const listed = (lists: string[] | undefined) => lists?.flatMap((list) => list.split(','));
    const paths = generate({
      dictionaries: positionals,
      out: values.out,
      messages: listed(values.messages),
      fields: listed(values.fields),
      only: listed(values.only),
    });
    write(`${paths.length} modules in ${values.out}\n`);
    return 0;
  },
};
