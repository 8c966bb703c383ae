/** SenderCompIDs: as whom a client's desks log on, from where, and what each is shown. */
import { type Command, Option } from 'commander';
import type { Run } from '../run.js';

const DEPTHS = ['first', 'ladder'];

interface Desk {
  readonly compId: string;
  readonly clientId: string;
  readonly addresses: readonly string[];
}

const HOW = `
A desk logs on as a SenderCompID(49) of its client, with any of the client's keys. Each has a session of its own, with its own sequence
numbers and its own options; give a client one for each desk.

Examples:
  ratewire compids assign ACME1 acme
  ratewire compids assign ACME2 acme --drop-copy --from 192.0.2.0/24
  ratewire compids list acme
  ratewire compids change ACME1 --depth ladder
  ratewire compids allow ACME1 192.0.2.7 2001:db8::/32
  ratewire compids remove ACME2 acme`;

const ASSIGN = `
Assigned again to the same client it has the options that are named now, from the next logon on; without --from its addresses stay as they
are (\`ratewire compids allow\` opens it again). Another client's is refused with COMPID_TAKEN: remove it there first.

Examples:
  ratewire compids assign ACME1 acme --source-time --disclose-margin`;

const CHANGE = `
With --depth ladder a MarketDataRequest(V) with MarketDepth(264)=0 gives every band of the client's ladder, with MDEntrySize(271) and
MDEntryPositionNo(290). With --depth first, which a new CompID has, it gives the first band, as 264=1 does.

Examples:
  ratewire compids change ACME1 --depth ladder`;

const ALLOW = `
Addresses of IPv4 and IPv6, and blocks of them; those that are named are all, and none is anywhere. A desk that is logged on is logged out,
unless it may be anywhere, and logs on again from where it may. Behind a proxy of the connection the address is that of the proxy.

Examples:
  ratewire compids allow ACME1 192.0.2.7 198.51.100.0/24
  ratewire compids allow ACME1`;

const REMOVE = `
Its desk is logged out and its open holds are revoked. Its sequence numbers, stored messages and undelivered reports are deleted
before another client may have the CompID. Conversions and payments are not affected: they are the client's. Repeat the command to
complete a removal that was interrupted.

Examples:
  ratewire compids remove ACME2 acme`;

export function addCompIdCommands(program: Command, run: Run): void {
  const compIds = program.command('compids').description('SenderCompIDs of desks').addHelpText('after', HOW);
  compIds
    .command('list <client>')
    .description('CompIDs of a client, and what each is shown')
    .action((clientId) =>
      run(async (ask) => (await ask('listCompIds', { clientId })).compIds.flatMap((desk) => (desk ? [row(desk)] : []))),
    );
  compIds
    .command('assign <compid> <client>')
    .description('let a desk of the client log on as this SenderCompID(49)')
    .option('--source-time', "send the provider's own time with each price, SourceTime(20017)")
    .option('--disclose-margin', 'send its margin with each price, MarginPercent(20003)')
    .option('--disclose-provider-rate', "send the provider's rate with prices of one side, ProviderRate(20004)")
    .option('--disclose-price', 'send mid and age of its price with each report, MidPrice(20020) and PriceAge(20021)')
    .option('--drop-copy', 'tell it of every conversion of the client, by whichever door or session')
    .option('--from <addresses...>', 'addresses and blocks from which it may log on (default: anywhere, or as before)')
    .addHelpText('after', ASSIGN)
    .action((compId, clientId, { from, ...shown }) =>
      run(async (ask) => row(await ask('assignCompId', { compId, clientId, addresses: from, ...shown }))),
    );
  compIds
    .command('change <compid>')
    .description('change what it is shown, from its next logon on')
    .addOption(new Option('--depth <depth>', 'prices with MarketDepth(264)=0').choices(DEPTHS).makeOptionMandatory())
    .addHelpText('after', CHANGE)
    .action((compId, { depth }) => run(async (ask) => row(await ask('changeCompId', { compId, depth }))));
  compIds
    .command('allow <compid> [addresses...]')
    .description('from where it may log on; no address: from anywhere')
    .addHelpText('after', ALLOW)
    .action((compId, addresses) => run(async (ask) => row(await ask('allowCompId', { compId, addresses }))));
  compIds
    .command('remove <compid> <client>')
    .description('take it from a client: its session ends, and nothing of it is left')
    .addHelpText('after', REMOVE)
    .action((compId, clientId) => run((ask) => ask('removeCompId', { compId, clientId })));
}

function row({ compId, clientId, addresses, ...more }: Desk): object {
  return { compId, clientId, from: addresses, ...more };
}
