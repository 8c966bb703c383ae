/** Client keys: their secrets, rights and addresses. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime } from '../show.js';
import { keyRightsOption } from './clients.js';

type Key = OutputOf<'listKeys'>['keys'][number];

const HOW = `
A key and its secret let a client in, by FIX and by REST. The secret is shown once, when it is made; the store has only a hash of it. A
client may have 100 keys that live: give each program its own, so that one can be ended without the others.
Rights are read, rates, trade, pay and manage, which is for webhooks, beneficiaries, batches and sub-clients; operate, which only a
key of yours should have, sees everything on the live page.

To change a secret without downtime: rotate, give the new one to the client, and retire the old secret when the new one is in use: retire-secret.

Examples:
  ratewire keys issue acme
  ratewire keys issue acme --rights read rates --from 192.0.2.0/24 2001:db8::/32
  ratewire keys list acme
  ratewire keys rotate CK_ABCDEFGHJKLMNPQRSTUVWXYZ
  ratewire keys retire-secret CK_ABCDEFGHJKLMNPQRSTUVWXYZ`;

const ROTATE = `
The key then has two live secrets, the new one and the previous one, until \`ratewire keys retire-secret\`. A third is rejected with KEY_LIMIT:
it would lock out clients that still use the oldest. Live tokens stay valid.

Examples:
  ratewire keys rotate CK_ABCDEFGHJKLMNPQRSTUVWXYZ --json`;

const RETIRE_SECRET = `
The newest secret is the only one from now on. Tokens and sessions that the old one opened stay: they were opened by the client. If the
old secret has leaked, end them too, with \`ratewire tokens revoke\`, or revoke the key.

Examples:
  ratewire keys retire-secret CK_ABCDEFGHJKLMNPQRSTUVWXYZ`;

const REVOKE = `
Permanent: no secret of the key is accepted again. Its tokens end at once, with the streams that use them, and the desks that logged on
with it are logged out. The client's other keys stay valid. Repeating the command ends only what the first run missed.

Examples:
  ratewire keys revoke CK_ABCDEFGHJKLMNPQRSTUVWXYZ`;

const RIGHTS_HELP = `
The rights that are named are all that it has. One that is taken away ends the key's live tokens, so that it is gone at once: the client
authenticates again. One that is added comes with the next token; live ones stay as they are.

Examples:
  ratewire keys rights CK_ABCDEFGHJKLMNPQRSTUVWXYZ read rates
  ratewire keys rights CK_ABCDEFGHJKLMNPQRSTUVWXYZ read rates trade pay manage`;

const ALLOW_ADDRESSES = `
Addresses of IPv4 and IPv6, and blocks of them. The named addresses replace the list; without any, every address is allowed. FIX and REST
reject key and tokens from another address: within a second for requests, and desks that logged on with the key are logged out, to log on again
from an allowed address. The rejection is NOT_ENTITLED, without the reason.
Behind a reverse proxy or a load balancer the address is that of the proxy: keep the list there.

Examples:
  ratewire keys allow-addresses CK_ABCDEFGHJKLMNPQRSTUVWXYZ 192.0.2.7 198.51.100.0/24 2001:db8::/32
  ratewire keys allow-addresses CK_ABCDEFGHJKLMNPQRSTUVWXYZ`;

export function addKeyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('client keys and their secrets').addHelpText('after', HOW);
  keys
    .command('list <client>')
    .description('keys of a client, without their secrets; live_secrets is 2 while one is changed, 0 of a revoked key')
    .action((clientId) => run(async (ask) => (await ask('listKeys', { clientId })).keys.map(row)));
  keys
    .command('issue <client>')
    .description('issue a key; its secret is shown this once')
    .addOption(keyRightsOption())
    .option('--from <addresses...>', 'addresses and blocks from which it may be used (default: anywhere)')
    .action((clientId, { rights, from: addresses }) =>
      run(async (ask) => issued({ clientId, ...(await ask('issueKey', { clientId, rights, addresses })) })),
    );
  keys
    .command('rotate <key>')
    .description('issue a second secret of a key, shown once; the old one is valid until it is retired')
    .addHelpText('after', ROTATE)
    .action((clientKey) => run(async (ask) => issued(await ask('rotateKey', { clientKey }))));
  keys
    .command('retire-secret <key>')
    .description('retire the older of the two secrets of a key')
    .addHelpText('after', RETIRE_SECRET)
    .action((clientKey) => run(async (ask) => row(await ask('retirePreviousSecret', { clientKey }))));
  keys
    .command('revoke <key>')
    .description('end a key for good, with its tokens and its sessions')
    .addHelpText('after', REVOKE)
    .action((clientKey) =>
      run(async (ask) => {
        const { keyId, ...ended } = await ask('revokeKey', { clientKey });
        return { client_key: keyId, ...ended };
      }),
    );
  keys
    .command('rights <key> <rights...>')
    .description('what a key may do')
    .addHelpText('after', RIGHTS_HELP)
    .action((clientKey, rights) =>
      run(async (ask) => {
        const { tokensEnded, ...key } = await ask('setKeyRights', { clientKey, rights });
        return { ...row(key), tokens_ended: tokensEnded };
      }),
    );
  keys
    .command('allow-addresses <key> [addresses...]')
    .description('from where a key may be used; no address: from anywhere')
    .addHelpText('after', ALLOW_ADDRESSES)
    .action((clientKey, addresses) =>
      run(async (ask) => {
        const { sessionsEnded, ...key } = await ask('allowKey', { clientKey, addresses });
        return { ...row(key), sessions_ended: sessionsEnded };
      }),
    );
}

interface Issued {
  readonly clientId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
}

const issued = ({ clientId, clientKey, clientSecret }: Issued): object => ({ clientId, clientKey, clientSecret });

function row({ clientId, keyId, rights, liveSecrets, revoked, addresses, createdAtMs }: Key): object {
  return {
    client: clientId,
    client_key: keyId,
    rights,
    live_secrets: liveSecrets,
    revoked,
    from: addresses,
    created_at: isoTime(createdAtMs),
  };
}
