/** `ratewire listen`: a client's events, live, and forwarded to a program on this machine: no address on the internet is needed. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { RefusedError } from '../../cli/ask.js';
import { shownText } from '../../cli/unshown.js';
import { CREDENTIALS_HELP, restSession } from './rest-session.js';

const HOW = `
Prints the events of a client as they happen, and with --forward-to sends each to a program on this machine, signed as a webhook is: with the secret
that is printed at the start. The program verifies it as it will verify deliveries. Before the first event the program is sent a challenge, as an endpoint
is: listen prints whether it has answered, and forwards events in either case. An event that it does not take is printed with the status,
and not sent again. It reads GET /api/v1/events, and needs no endpoint. Ctrl-C ends it.

Examples:
  ratewire listen
  ratewire listen --forward-to http://127.0.0.1:3000/hook
  ratewire listen --types payment.paid,conversion.* --forward-to http://127.0.0.1:3000/hook`;

/** 120 requests a minute, far below the limit of a client's reads. */
const POLL_MS = 500;
const AWAY_MS = 2_000;
const PAGE = 200;

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('show the events of a client live, and forward them to a program on this machine')
    .option('--forward-to <url>', 'http or https on a loopback address', loopbackUrl)
    .option('--types <types>', 'only events of these types, with commas between them: payment.paid, payment.* or *')
    .option('--credentials <file>', CREDENTIALS_HELP)
    .addHelpText('after', HOW)
    .action(async ({ forwardTo, types, credentials }: Options) => {
      const { json = false } = program.opts<{ json?: boolean }>();
      const print = (line: string): void => void process.stdout.write(`${line}\n`);
      const note = (line: string): void => void process.stderr.write(`${shownText(line)}\n`);
      const session = restSession(credentials);
      // A refusal ends the command before it prints anything.
      const { newest_sequence } = await session.ask('GET', '/api/v1/events?limit=1');
      const events = readEvents(session, types, Number(newest_sequence), note);
      const forward = forwardTo === undefined ? undefined : await forwarder(forwardTo, note);
      note(`Listening at ${session.rest}. Ctrl-C ends it.`);
      for await (const event of events) {
        const outcome = await forward?.(event);
        print(
          json ? JSON.stringify(outcome === undefined ? event : { ...event, forwarded: outcome }) : row(event, outcome),
        );
      }
    });
}

interface Options {
  readonly forwardTo?: string;
  readonly types?: string;
  readonly credentials?: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

/** Behind that sequence, without end. */
async function* readEvents(
  session: ReturnType<typeof restSession>,
  types: string | undefined,
  behind: number,
  note: (line: string) => void,
): AsyncGenerator<Event> {
  const of = (after: number, limit = PAGE): string =>
    `/api/v1/events?after=${after}&limit=${limit}${types === undefined ? '' : `&type=${encodeURIComponent(types)}`}`;
  let after = behind;
  for (let isAway = false; ; ) {
    try {
      const { data, next_after } = await session.ask('GET', of(after));
      if (isAway) note('It answers again.');
      isAway = false;
      yield* data as readonly Event[];
      const isMore = Number(next_after) > after;
      after = Number(next_after);
      if (!isMore) await pause(POLL_MS);
    } catch (error) {
      // What is refused for good stays refused.
      if (error instanceof RefusedError && !/^(RATE_LIMITED|STORE_UNAVAILABLE|INTERNAL_ERROR)/.test(error.message))
        throw error;
      if (!isAway) note(`${session.rest} does not answer: it is asked again.`);
      isAway = true;
      await pause(AWAY_MS);
    }
  }
}

/** Sends an event as a webhook is sent, and returns what came of it in a word or a status. */
async function forwarder(target: string, note: (line: string) => void): Promise<(event: Event) => Promise<string>> {
  const { send, sendChallenge, signedHeaders, signingKey, symmetricSecret } = await import(
    '../../service/webhooks/index.js'
  );
  const secret = symmetricSecret();
  const key = signingKey(secret);
  note(`Forwarding to ${target}. Its signing secret: ${secret}`);
  const resolve = async (): Promise<readonly string[]> => ['127.0.0.1', '::1'];
  const sending = { loopback: true, resolve };
  let isConfirmed = false;
  /** Until the program has answered, before each event. */
  const challenge = async (): Promise<void> => {
    const { httpStatus, reason } = await sendChallenge(target, LISTENER, [key], sending);
    isConfirmed = reason === '';
    note(
      isConfirmed
        ? 'The program has answered the challenge: an endpoint for it would be active.'
        : `The program has not answered the challenge (${reason} ${httpStatus}): an endpoint for it would stay PENDING.`,
    );
  };
  return async ({ id, ...body }) => {
    if (!isConfirmed) await challenge();
    const text = JSON.stringify(body);
    const sent = await send(target, signedHeaders([key], id, Date.now(), text), text, sending);
    return sent.httpStatus === 0 ? sent.reason : String(sent.httpStatus);
  };
}

/** In place of an endpoint's id. */
const LISTENER = 'ratewire listen';

/** What names a resource. */
const IDS =
  /^(payment_id|confirmation_id|fx_hold_id|gl_reference_number|account_number|beneficiary_id|verification_id|batch_id|webhook_id|client_key)$/;

function row({ type, timestamp, sequence, data }: Event, outcome: string | undefined): string {
  const [, resource = ''] = Object.entries(data.object).find(([name]) => IDS.test(name)) ?? [];
  return shownText(
    [
      timestamp,
      String(sequence).padStart(6),
      type.padEnd(24),
      String(resource),
      ...(outcome ? [`-> ${outcome}`] : []),
    ].join('  '),
  );
}

function loopbackUrl(text: string): string {
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  if (/^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(host) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError('http or https on a loopback address, such as http://127.0.0.1:3000/hook');
}
