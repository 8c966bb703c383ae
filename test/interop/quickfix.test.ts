/**
 * Interoperability: a real QuickFIX C++ initiator with a stock FIX44.xml runs the conversations about rates and about money against
 * `npm start`, and neither side rejects a message of the other. Needs g++ and the QuickFIX headers; says so and passes over otherwise.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ratewireOn } from '../support/ratewire.js';
import { demoClient, type Launcher, launch, temporaryDirectory } from '../wiring/launcher.js';
import { CONFIG, compile, passOver, settingsFor, stockDictionary, whatIsMissing } from './quickfix.js';
import { readStockDictionary } from './stock-dictionary.js';

const DISCLOSED = ['--disclose-margin', '--disclose-provider-rate', '--disclose-price'];
const SOURCE = fileURLToPath(new URL('initiator.cpp', import.meta.url));

const missing = whatIsMissing();
const built = temporaryDirectory();
const initiator = path.join(built.path, 'initiator');
/** The engine's data directory, and the desk's own beside it: each conversation begins at number 1. */
let dir: ReturnType<typeof temporaryDirectory>;
let launcher: Launcher | undefined;

beforeAll(() => {
  if (missing === undefined) compile(SOURCE, initiator);
});
beforeEach(async () => {
  dir = temporaryDirectory();
  if (missing !== undefined) return;
  launcher = launch(dir.path, { DISCLOSE_PROVIDERS: 'yes' });
  await launcher.ready;
});
afterEach(async () => {
  launcher?.process.kill('SIGTERM');
  await launcher?.ended;
  dir.remove();
});
afterAll(() => built.remove());

test('QuickFIX logs on, lists, streams, renews its token and logs out without a reject', async ({ skip }) => {
  if (missing !== undefined) return passOver(missing, skip);
  const conversation = await converse({}, ['EUR/USD', 'USD/JPY', 'GBP/USD']);
  expectSound(conversation, [
    'ok logon with a token',
    'ok security list',
    'ok market status',
    'ok snapshots',
    'ok stream',
    'ok token renewed',
    'ok stream on the new token',
    'ok the other stream goes on',
    'ok logout',
  ]);
});

test('QuickFIX holds, books, queries and gets its reports again after a disconnect without a reject', async ({
  skip,
}) => {
  if (missing !== undefined) return passOver(missing, skip);
  // It continues its numbers, so that missed messages are resent.
  const going = { ResetOnLogon: 'N', ReconnectInterval: '1' };
  const conversation = await converse(going, ['money'], (line) => {
    if (line === 'ok another under its id') void bookAndChangeOverRest();
  });
  expectSound(conversation, [
    'ok logon with a token',
    'ok stream',
    'ok a hold',
    'ok another',
    'ok released',
    'ok how it stands',
    'ok a request refused',
    'ok a hold that ends',
    'ok the hold booked',
    'ok a streamed price booked',
    'ok at the market',
    'ok at a limit',
    'ok a limit not met',
    'ok the order asked about',
    'ok the order sent again',
    'ok the order sent again as such',
    'ok another under its id',
    'ok a hold of both sides',
    'ok its bid booked',
    'ok its offer not any more',
    'ok a stream of both sides',
    'ok a stream of one',
    'ok its next quote',
    'ok a quote dealt',
    'ok the stream ended',
    'ok its quote stale',
    'ok a hold beside it',
    'ok all streams ended',
    'ok all holds released',
    'ok nothing left to end',
    'ok a copy of what REST booked',
    'ok a copy of its split',
    'ok a copy of a part cancelled',
    'ok a copy of that part',
    'ok the split order asked about',
    'ok the part among all orders',
    'ok the part among all trades',
    'ok logged on again',
    'ok the report of the order before',
    'ok once more',
    ...[1, 2, 3, 4, 5, 6].map((number) => `ok resent O${number}`),
    'ok resent the copy of a split',
    'ok logout',
  ]);
});

test('QuickFIX with our dictionary reads why each price was what it was, and stops all its trading', async ({
  skip,
}) => {
  if (missing !== undefined) return passOver(missing, skip);
  const operator = ratewireOn(dir.path, { RATEWIRE_OPERATOR: 'test' });
  await operator.json('compids', 'assign', 'DEMO1', 'demo', ...DISCLOSED);
  // A field of ours that the dictionary does not have in a message would be rejected.
  const ours = { DataDictionary: `${CONFIG}FIX44-ratewire.xml`, ValidateUserDefinedFields: 'Y' };
  const conversation = await converse(ours, ['stop'], (line) => {
    if (line === 'ok no hold') void operator.json('clients', 'resume', 'demo');
  });
  expectSound(conversation, [
    'ok logon with a token',
    'ok stream',
    'ok a hold',
    'ok the price of a hold',
    'ok of a streamed price',
    'ok of the market',
    'ok a stream of quotes',
    'ok of a quote',
    'ok one security is not stopped',
    'ok all is stopped',
    'ok it was stopped',
    'ok its price withdrawn',
    'ok its stream of quotes without one',
    'ok no order',
    'ok no hold',
    'ok its price again',
    'ok an order again',
    'ok logout',
  ]);
});

interface Conversation {
  readonly status: number | null;
  readonly output: string;
}

/** It took these steps and no other, and neither side had anything to reject. */
function expectSound({ status, output }: Conversation, steps: readonly string[]): void {
  expect(output).toMatch(/^summary complaints=0 /m);
  expect(output).not.toMatch(/MISSING|COMPLAINT|(in|out):[3j]=/);
  expect(output.match(/^ok .*$/gm)).toEqual(steps);
  expect(status).toBe(0);
  expect(faultsOfWhatCame()).toEqual([]);
}

/** Runs the desk once. */
async function converse(
  changes: Record<string, string>,
  topics: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<Conversation> {
  const { fix, client_key, client_secret } = demoClient(dir.path);
  const args = [settingsFor(dir.path, fix, changes), client_key, client_secret, ...topics];
  const desk = spawn(initiator, args, { timeout: 300_000 });
  let output = '';
  const hear = (chunk: Buffer) => {
    const said = String(chunk);
    output += said;
    for (const line of said.split('\n')) onLine(line);
  };
  desk.stdout.on('data', hear);
  desk.stderr.on('data', hear);
  const [status] = await once(desk, 'close');
  return { status, output };
}

/** Everything that the engine sent, by the stock dictionary: a standard tag only where the message has it. */
function faultsOfWhatCame(): string[] {
  const log = path.join(dir.path, 'quickfix-log');
  const file = readdirSync(log).find((name) => name.endsWith('messages.current.log'))!;
  const came = readFileSync(path.join(log, file), 'latin1').match(/8=FIX\.4\.4\x01.*?\x0149=FXENGINE\x01.*/g) ?? [];
  expect(came.length).toBeGreaterThan(10);
  const dictionary = readStockDictionary(stockDictionary(dir.path));
  return came.flatMap((wire) =>
    dictionary.faultsOf(wire).map((fault) => `${fault} in ${wire.replaceAll('\x01', '|')}`),
  );
}

/** A conversion booked by REST, which is split then, and a part of it cancelled: the desk gets a copy of each. */
async function bookAndChangeOverRest(): Promise<void> {
  const { rest, client_key, client_secret } = demoClient(dir.path);
  let credentials: Record<string, string> = { client_key, client_secret };
  const post = async (name: string, body: object = {}) => {
    const answer = await fetch(`http://${rest}/api/v1/${name}`, {
      method: 'POST',
      headers: { ...credentials, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([name, answer.status]).toEqual([name, 200]);
    return (await answer.json()) as Record<string, string> & { children: { confirmation_id: string }[] };
  };
  const change = async (id: string, kind: string, terms: object = {}) => {
    const { quote_id } = await post(`bookfx/${id}/${kind}/quote`, terms);
    return post(`bookfx/${id}/${kind}`, { quote_id, request_id: `${kind}-1`, reason: 'withdrawn' });
  };
  const { token } = await post('authentication');
  credentials = { authorization: `Bearer ${token}` };
  const { confirmation_id: id = '' } = await post('bookfx/currency/create', {
    ...{ request_id: 'REST-1', description: 'Invoice 8841', book_fx_type: 'SCHEDULED2' },
    ...{ buy_amount: 1000, buy_currency: 'EUR', sell_currency: 'USD' },
  });
  const { children } = await change(id, 'split', { buy_amounts: [600, 400] });
  await change(children[0]!.confirmation_id, 'cancel');
}
