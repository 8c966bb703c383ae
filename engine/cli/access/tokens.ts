/** Live tokens of a client. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime } from '../show.js';

type Token = OutputOf<'listTokens'>['tokens'][number];

const HOW = `
A client authenticates with key and secret and is given a token of 24 hours, which each request carries. The store has only its hash, and a
list shows the beginning of the hash, which is not usable as a token.

Examples:
  ratewire tokens list acme
  ratewire tokens revoke acme --token 3f9ac2d41b07
  ratewire tokens revoke acme`;

const REVOKE = `
On every engine and sidecar within a second or two, with the streams that use them. The keys stay valid, and the client authenticates
again. To keep it out, revoke its key or disable it.

Examples:
  ratewire tokens revoke acme`;

export function addTokenCommands(program: Command, run: Run): void {
  const tokens = program.command('tokens').description('live tokens of clients').addHelpText('after', HOW);
  tokens
    .command('list <client>')
    .description("a client's live tokens, the oldest first")
    .action((clientId) => run(async (ask) => (await ask('listTokens', { clientId })).tokens.map(row)));
  tokens
    .command('revoke <client>')
    .description("end all the client's tokens at once, or one of them")
    .option('--token <hash>', 'the one whose hash begins so, as the list shows it')
    .addHelpText('after', REVOKE)
    .action((clientId, { token }) => run((ask) => ask('revokeClientTokens', { clientId, token })));
}

function row({ token, keyId, rights, issuedAtMs, expiresAtMs }: Token): object {
  return { token, client_key: keyId, rights, issued_at: isoTime(issuedAtMs), expires_at: isoTime(expiresAtMs) };
}
