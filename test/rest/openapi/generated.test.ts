/**
 * Generated requests for every operation of the OpenAPI document. RATEWIRE_SEED=<n> is another run,
 * RATEWIRE_REQUESTS=<n> makes more of it. Without them always the same: what is reached must not be a matter of luck.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../../support/sizes.js';
import { DOCUMENT } from './described.js';
import { judge } from './generated/judge.js';
import { OPERATIONS } from './generated/operations.js';
import { ANY_PLAN } from './generated/requests.js';
import { bytesOf, exchange, type Sent } from './generated/wire.js';
import { AUDIT, COUNTERS, openWorld, type Party, type World } from './generated/world.js';

const SEED = Number(process.env.RATEWIRE_SEED ?? 20_261_123);
const REQUESTS = Number(process.env.RATEWIRE_REQUESTS ?? cases(2_500, 25_000));
const TIMEOUT_MS = Math.max(300_000, REQUESTS * 30);

/** A payment cannot be made any more once the client's own clock is behind the last known holiday. */
const RARE: Readonly<Record<string, number[]>> = { answerInformation: [400] };

let world: World;
let acme: Party;
let other: Party;
/** Answers by operation, and codes of refusals. */
const answers = new Map<string, Map<number, number>>();
const codes = new Map<string, number>();

beforeAll(async () => {
  world = await openWorld({ authentication: 60, reads: 5_000, writes: 5_000 });
  acme = await world.party('acme');
  other = await world.party('other');
}, TIMEOUT_MS);
afterAll(() => world.stop());

/** Numbers of accounts, tokens, signatures: of both. Short ones could be part of any text. */
function* secrets(): Generator<string> {
  for (const { known } of [acme, other])
    for (const kind of known.kinds)
      if (!/^(transaction|request_id|client_key)$|^id PAY/.test(kind))
        for (const value of known.all(kind)) if (value.length >= 12) yield value;
}

const shown = (sent: Sent) => JSON.stringify(bytesOf(sent).toString('latin1').slice(0, 3_000));

test('the document is the one that is served', async () => {
  const { text } = await exchange(world.door.port, {
    method: 'GET',
    target: '/openapi.json',
    version: 'HTTP/1.1',
    headers: [['host', 'x']],
    body: undefined,
    framing: 'none',
  });
  expect(JSON.parse(text)).toEqual(DOCUMENT);
});

test(
  'the document suffices to call every operation',
  async () => {
    for (const party of [acme, other]) {
      const missing = await party.haveEverything(SEED);
      expect(missing).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

test(
  'answers every generated request in time and as documented, and a rejected one changes nothing',
  async () => {
    const clock = world.door.services;
    const anyTime = fc.oneof({ arbitrary: fc.nat(2_000), weight: 40 }, fc.nat(1_200_000));
    await fc.assert(
      fc.asyncProperty(ANY_PLAN, anyTime, async (plan, laterMs) => {
        clock.nowMs += laterMs;
        const { sent, answer, written } = await acme.ask(plan);
        try {
          judge(sent, answer, secrets());
          const isRead = plan.operation.limit === 'reads';
          const kept =
            answer.status === 200 && !isRead
              ? []
              : written.filter((key) => !COUNTERS.test(key) && (isRead || !AUDIT.test(key)));
          if (kept.length > 0) throw new Error(`${answer.status}, and yet it wrote ${kept.join(', ')}: ${answer.text}`);
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${shown(sent)}`, { cause: error });
        }
        count(plan.operation.id, answer.status, answer.text);
      }),
      { seed: SEED, numRuns: REQUESTS },
    );
    expect(
      clock.logged.filter(
        (line) =>
          !/wrong secret|has halted itself|own clock was advanced|its status does not allow it|"event":"(authentication|token\.revoked)/.test(
            line,
          ),
      ),
    ).toEqual([]);
    for (const { id } of OPERATIONS)
      expect([id, [...(answers.get(id)?.keys() ?? [])]]).toEqual([id, expect.arrayContaining(RARE[id] ?? [200, 400])]);
    if (process.env.RATEWIRE_REQUESTS !== undefined) console.log(answers, codes);
  },
  TIMEOUT_MS,
);

function count(id: string, status: number, text: string): void {
  const own = answers.get(id) ?? new Map<number, number>();
  answers.set(id, own.set(status, (own.get(status) ?? 0) + 1));
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
  if (code) codes.set(code, (codes.get(code) ?? 0) + 1);
}
