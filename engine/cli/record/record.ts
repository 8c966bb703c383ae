/** `ratewire record verify`: the chains of the day record. */
import type { Command } from 'commander';
import { refuse, refuseField } from '../../domain/core/refusal.js';
import { RefusedError } from '../ask.js';
import { type Answer, REFUSED, type RunAlone } from '../run.js';
import { Shown, showRows } from '../show.js';

const VERIFY = `
Each block of lines has an HMAC over its day, times and lines and the block before, over all files of a process. The first place that was
changed, removed or written without the key is named. That the last blocks or files are missing is known from the file .head of the
folder, and from the other folders: each names them and their heads once a minute, under its own HMAC, so that a missing folder is named too.
Keep a head (number and HMAC) elsewhere as well, and give it with --head: it also finds that all folders are gone. Files that were moved
away from the start are reported by the number of the first file. Move the folders of one directory together.
Exit code 1: a chain is broken, or there is no record.

Examples:
  ratewire record verify
  ratewire record verify /var/lib/ratewire-record
  ratewire record verify --head fx1.engine.1:9182:5f0c5d0f3e6c1b7a9d8e2f4a6b8c0d1e3f5a7b9c1d3e5f7a9b1c3d5e7f9a0b2c`;

export function addRecordCommands(program: Command, alone: RunAlone): void {
  program
    .command('record')
    .description('the day record of engines and sidecars')
    .addHelpText('after', VERIFY)
    .command('verify')
    .description('check the chains of the day record, and name the first block that is broken')
    .argument('[directory]', 'the record (default: RECORD)')
    .option(
      '--head <folder:number:hmac>',
      'a head that must be in a chain',
      (head: string, all: string[]) => [...all, head],
      [],
    )
    .addHelpText('after', VERIFY)
    .action((directory: string | undefined, { head }: { readonly head: readonly string[] }) =>
      alone(() => verified(directory, head)),
    );
}

async function verified(given: string | undefined, heads: readonly string[]): Promise<Answer> {
  const { configuredRecord } = await import('../operator.js');
  const { verifyRecord } = await import('../../service/record/read-record.js');
  const { directory, key } = configuredRecord(given);
  if (key === undefined) throw new RefusedError(refuseField('MASTER_KEY', 'set, or DATA_DIR with master.key'));
  const chains = verifyRecord(directory, key, heads);
  if (chains.length === 0)
    throw new RefusedError(refuse('NOT_FOUND', `${directory} has no day record: name the directory that RECORD names`));
  const rows = chains.map(({ folder, files, firstFile, number, mac, broken }) => ({
    folder,
    files,
    firstFile,
    blocks: number,
    head: `${folder}:${number}:${mac}`,
    brokenAt: broken?.place ?? '',
    why: broken?.why ?? '',
  }));
  const isBroken = chains.some(({ broken }) => broken !== undefined);
  return new Shown(rows, () => showRows(rows), isBroken ? REFUSED : 0);
}
