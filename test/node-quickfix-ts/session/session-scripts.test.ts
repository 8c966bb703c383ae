import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type EchoVersion, echoAcceptor } from '../echo-acceptor.js';
import { HandClock } from './session-harness.js';
import { holdsFor, play, SCRIPT_VERSIONS, type ScriptVersion } from './session-script.js';

const folder = new URL('../scripts/', import.meta.url);
const scripts = readdirSync(folder)
  .filter((name) => name.endsWith('.fix'))
  .map((name) => [name.slice(0, -4), readFileSync(new URL(name, folder), 'utf8')] as const);

/** How many rules the public acceptance scenarios have for each version: 467 in all. */
const RULES: Readonly<Record<ScriptVersion, number>> = {
  '4.0': 56,
  '4.1': 56,
  '4.2': 58,
  '4.3': 58,
  '4.4': 59,
  '5.0': 60,
  '5.0SP1': 60,
  '5.0SP2': 60,
};
const ECHO: Readonly<Record<ScriptVersion, EchoVersion>> = {
  '4.0': 'FIX.4.0',
  '4.1': 'FIX.4.1',
  '4.2': 'FIX.4.2',
  '4.3': 'FIX.4.3',
  '4.4': 'FIX.4.4',
  '5.0': 'FIXT.1.1 7',
  '5.0SP1': 'FIXT.1.1 8',
  '5.0SP2': 'FIXT.1.1 9',
};

async function playIn(version: ScriptVersion, script: string): Promise<void> {
  const clock = new HandClock();
  const { now, elapsed } = clock;
  const acceptor = echoAcceptor({ port: 0, version: ECHO[version], target: 'DESK', now, elapsed });
  const { port } = await acceptor.listen();
  try {
    await play(script, { port, version, peer: 'DESK', clock });
  } finally {
    await acceptor.stop();
  }
}

describe.each(SCRIPT_VERSIONS)('FIX %s', (version) => {
  const rules = scripts.filter(([, script]) => holdsFor(script, version));

  test('has all its rules', () => expect(rules.length).toBe(RULES[version]));

  test.concurrent.each(rules)(`FIX ${version} %s`, (_, script) => playIn(version, script));
});

test('a script that expects something else fails', async () => {
  const logon = 'connect\n> 35=A|34=1|98=0|108=30\n< 35=A|34=1|98=0|108=30\n';
  const wrong = [
    ['4.4', logon.replace('< 35=A|34=1|98=0|108=30', '< 35=A|34=1|108=30|98=0'), 'line 3'],
    ['4.4', `${logon}@-4.1 < closed\n@4.2+ > 35=1|34=2|112=x\n@4.4 < 35=0|34=2|112=y`, 'line 6'],
    ['4.1', `${logon}> 35=0|34=2|999=x\n< 35=3|34=2|45=2|58=Invalid tag number|371=998|372=0|373=0`, 'line 5'],
    ['5.0', logon.replace('< 35=A|34=1', '< 35=A|34=1|-1137'), 'line 3'],
    ['4.0', 'go on', 'line 1 is no step'],
    ['4.0', '@4.5+ connect', '4.5+ is no range'],
  ] as const;
  for (const [version, script, message] of wrong) await expect(playIn(version, script)).rejects.toThrow(message);
});
