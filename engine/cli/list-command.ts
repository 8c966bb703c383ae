import { type Command, Option } from 'commander';

/** `list`, with what can be asked of every list that goes over all clients. */
export function listCommand(parent: Command, what: string, statuses: readonly string[]): Command {
  return parent
    .command('list')
    .description(`${what} of all clients, newest first`)
    .option('--client <id>', 'of this client alone')
    .addOption(new Option('--status <status>', 'in this status alone').choices(statuses))
    .option('--limit <n>', 'how many, 1 to 1000', Number, 50);
}
