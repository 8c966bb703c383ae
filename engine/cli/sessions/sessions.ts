/** Sessions of desks: who is logged on where, and what an operator may do about one. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import type { Ask } from '../ask.js';
import type { Run } from '../run.js';
import { isoTime, shownList } from '../show.js';

type Session = OutputOf<'listSessions'>['sessions'][number];

const HOW = `
A session is live while its desk is logged on, at one of the engines, and away otherwise; then its numbers are those that the store keeps.
next_out and next_in are the MsgSeqNum(34) that we send next and expect next; backlog is what the desk has not taken yet, in bytes, and
conflated how many prices and quotes were replaced by newer ones since it logged on, because it was too slow to take them.

Examples:
  ratewire sessions list --client acme
  ratewire sessions logout ACME1 --reason "maintenance until 09:00 UTC"
  ratewire sessions reset ACME1 --logout`;

const LOGOUT = `
The desk is sent Logout(5) with the reason in Text(58), and may log on again at once, with the sequence numbers that it had. To keep it
out, disable its client (\`ratewire clients disable\`), end its key or take its CompID away before.`;

const RESET = `
Do this when a desk has started again at MsgSeqNum(34)=1 without ResetSeqNumFlag(141)=Y, and agree on it first: a desk that has kept its
own numbers finds the engine's too low, and disconnects. Messages that it has missed are not resent: it queries orders by
OrderStatusRequest(H). Undelivered reports are kept, and delivered under the new numbers.
Rejected with WRONG_STATE while the desk is logged on, unless --logout is given.`;

export function addSessionCommands(program: Command, run: Run): void {
  const sessions = program.command('sessions').description('sessions of desks').addHelpText('after', HOW);
  sessions
    .command('list')
    .description('every CompID, and the state of its session')
    .option('--client <id>', 'of this client alone')
    .action(({ client: clientId }) =>
      run(async (ask) => {
        const all = await allSessions(ask, clientId);
        return shownList(all, row, wholeRow);
      }),
    );
  sessions
    .command('logout <compid>')
    .description('end a session, wherever it is logged on')
    .option('--reason <text>', 'why, for the desk')
    .addHelpText('after', LOGOUT)
    .action((compId, { reason }) => run((ask) => ask('logOutSession', { compId, reason })));
  sessions
    .command('reset <compid>')
    .description('start both sequence numbers at 1 again')
    .option('--logout', 'log it out first')
    .addHelpText('after', RESET)
    .action((compId, { logout: logOut }) => run((ask) => ask('resetSession', { compId, logOut })));
}

async function allSessions(ask: Ask, clientId: string | undefined): Promise<Session[]> {
  const all: Session[] = [];
  let after: string | undefined;
  do {
    const page = await ask('listSessions', { clientId, after });
    all.push(...page.sessions);
    after = page.next;
  } while (after !== undefined);
  return all;
}

function row(session: Session): object {
  const live = session.state === 'live' ? session : undefined;
  return {
    comp_id: session.compId,
    client: session.clientId,
    state: session.state,
    engine: live?.engine,
    since: live && isoTime(live.loggedOnAtMs),
    next_out: session.nextOut,
    next_in: session.nextIn,
    backlog: live?.backlogBytes,
    conflated: live?.conflated,
  };
}

function wholeRow(session: Session): object {
  const live = session.state === 'live' ? session : undefined;
  return { ...row(session), streams: live?.streams, key: live?.keyId };
}
