/** `ratewire certify`: starts the engine under test, plays the script with one desk, writes the report, and removes all of it. */
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Dictionary } from 'node-quickfix-ts';
import { CLIENT_KEY, COMP_ID, ENGINE_COMP_ID } from '../../domain/core/ids.js';
import type { Log } from '../../domain/core/log.js';
import { FIX_DICTIONARY, readProjectFile } from '../../domain/data/data-file.js';
import { isLoopback } from '../../service/core/caller.js';
import { SettingError } from '../../wiring/config.js';
import { address, listening } from '../../wiring/program.js';
import { openTls } from '../../wiring/tls/tls.js';
import { Conductor } from './conductor.js';
import { type Credentials, privateConfig, privateDirectory, startEngine } from './engine-under-test.js';
import { Relay } from './relay.js';
import { type Outcome, stepText, writeReport } from './report.js';
import { SCRIPT_VERSION, STEPS, scriptHash } from './script.js';

export interface CertifyOptions {
  readonly compId: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** `generated`, or the path of a PEM file; absent: plain TCP, on loopback addresses only. */
  readonly tls?: string;
  readonly tlsKey?: string;
  /** A JSON file with client_key and client_secret; absent: both are made for the run. */
  readonly credentials?: string;
  readonly waitSeconds: number;
  readonly firstSeconds: number;
  /** Folder of the report. */
  readonly out: string;
  readonly desk?: string;
  readonly operator: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  /** Seconds for each message of the desk in one step, where they are not `waitSeconds`. */
  readonly waitSecondsOf?: (step: number) => number;
  /** What a person reads while the script is played. */
  readonly print: (text: string) => void;
}

export interface Certified {
  readonly result: Outcome;
  readonly json: string;
  readonly files: readonly string[];
}

export interface Certification {
  /** Settles when everything is stopped and removed. Rejects with SettingError for what cannot be run. */
  readonly done: Promise<Certified>;
  /** Ends the script; the report says what was reached. */
  interrupt(): void;
}

/** Throws SettingError before anything is started. */
export function certify(options: CertifyOptions): Certification {
  check(options);
  const run = new Run(options);
  return { done: run.play(), interrupt: () => run.interrupt() };
}

class Run {
  readonly #stops: (() => Promise<void>)[] = [];
  #conductor: Conductor | undefined;
  #interrupted = false;

  constructor(private readonly options: CertifyOptions) {}

  interrupt(): void {
    this.#interrupted = true;
    this.#conductor?.interrupt();
  }

  async play(): Promise<Certified> {
    try {
      return await this.#play();
    } finally {
      for (const stop of this.#stops.reverse()) await stop().catch(() => {});
    }
  }

  async #play(): Promise<Certified> {
    const { options } = this;
    const { compId, host, port, tls, tlsKey, waitSeconds, firstSeconds, operator, version, desk, print } = options;
    const startedAt = new Date();
    const onStop = (stop: () => Promise<void>) => void this.#stops.push(stop);
    const dictionaryText = readProjectFile(FIX_DICTIONARY);
    const dictionary = Dictionary.parse(dictionaryText);
    const given = readCredentials(options.credentials);

    const directory = privateDirectory(onStop);
    const config = privateConfig(directory, options.env, tlsSettings(tls, tlsKey));
    const listener = await openTls('FIX', { ...config, HOST: host }, SILENT);
    if (listener) onStop(async () => listener.stop());
    const engine = await startEngine(compId, given, config, SILENT, onStop);

    const conductor = new Conductor({
      compId,
      steps: STEPS,
      engine,
      names: (msgType) => `${dictionary.rules(msgType)?.name ?? 'MsgType'}(${msgType})`,
      waitMs: (step) => (options.waitSecondsOf?.(step) ?? waitSeconds) * 1_000,
      firstMs: firstSeconds * 1_000,
      onStep: ({ title, engine: does, desk: expected }, number) =>
        print(`Step ${number} of ${STEPS.length}: ${title}\n  The engine: ${does}\n  The desk: ${expected}\n`),
      onResult: (result) => print(`${stepText(result)}\n`),
      onTlsFault: (why) => print(`  ${why}\n`),
    });
    this.#conductor = conductor;
    if (this.#interrupted) conductor.interrupt();
    const relayTls = listener && { tls: listener.options };
    const relay = new Relay({ host, port, enginePort: engine.port, ...relayTls }, conductor);
    conductor.relay = relay;
    const listens = await listening({ '--port': port }, host, relay.listen(), '--host');
    onStop(() => relay.close());

    print(whereTo(options, listens.port, engine.directory, given === undefined ? engine : undefined));
    const steps = await conductor.play();
    const head = {
      compId,
      ...(desk !== undefined && { desk }),
      operator,
      version,
      script: { version: SCRIPT_VERSION, sha256: scriptHash() },
      dictionary: { file: basename(FIX_DICTIONARY), sha256: sha256(dictionaryText) },
      transport: listener ? ('TLS' as const) : ('plain TCP' as const),
      tokenOnRequest: config.TOKEN_ON_REQUEST,
      waitSeconds,
      firstSeconds,
      startedAt: startedAt.toISOString(),
    };
    const name = `certification-${compId}-${startedAt.toISOString().replace(/[-:.]/g, '')}`;
    const report = writeReport(head, steps, new Date().toISOString(), conductor.interrupted, `${name}.json`);
    const files = [`${name}.json`, `${name}.txt`].map((file) => join(options.out, file));
    try {
      writeFileSync(files[0]!, report.json, { flag: 'wx' });
      writeFileSync(files[1]!, report.text, { flag: 'wx' });
    } catch (error) {
      throw new SettingError(`--out ${options.out} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
    print(
      `${report.result === 'passed' ? 'Passed' : report.result === 'failed' ? 'Not passed' : 'Incomplete'}: ${files[1]}\n`,
    );
    return { result: report.result, json: report.json, files };
  }
}

/** The report says what there is to say: a log line of the private engine would be in the way. */
const SILENT: Log = { info() {}, warn() {}, error() {} };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Throws SettingError. */
function check({ compId, host, tls, tlsKey, env, out }: CertifyOptions): void {
  const wrong = (text: string) => {
    throw new SettingError(text);
  };
  if (env.REDIS_URL?.trim())
    wrong(
      'REDIS_URL is set: a certification runs on a store of its own, never on one with clients, and has not connected to it. Unset REDIS_URL for this command.',
    );
  if (!COMP_ID.test(compId)) wrong(`${JSON.stringify(compId.slice(0, 40))} is no CompID: 1 to 32 of A-Z a-z 0-9 . _ -`);
  if (compId === ENGINE_COMP_ID) wrong(`${ENGINE_COMP_ID} is the engine's own CompID`);
  if (tls === undefined && !isLoopback(host))
    wrong(`--host ${host} is for other machines: add --tls generated, or --tls and --tls-key with PEM files.`);
  if (tls === 'generated' && tlsKey !== undefined) wrong('--tls generated has a key of its own: leave out --tls-key.');
  if (tls === undefined && tlsKey !== undefined) wrong('--tls-key needs --tls with its certificate.');
  try {
    mkdirSync(resolve(out), { recursive: true });
    accessSync(resolve(out), constants.W_OK | constants.X_OK);
  } catch {
    wrong(`--out ${out} is no folder that can be made and written.`);
  }
}

function tlsSettings(tls: string | undefined, key: string | undefined): Record<string, string> {
  if (tls === undefined) return {};
  return { FIX_TLS_CERTIFICATE: tls, ...(key !== undefined && { FIX_TLS_KEY: key }) };
}

/** Throws SettingError; its text has nothing of the file. */
function readCredentials(file: string | undefined): Credentials | undefined {
  if (file === undefined) return undefined;
  try {
    const { client_key: clientKey, client_secret: clientSecret } = JSON.parse(readFileSync(file, 'utf8'));
    if (CLIENT_KEY.test(clientKey) && typeof clientSecret === 'string' && /^.{1,256}$/s.test(clientSecret))
      return { clientKey, clientSecret };
  } catch {
    // The same text as for a file without them.
  }
  throw new SettingError(
    `--credentials ${file} has no credentials: JSON with client_key (3 to 64 of A-Z a-z 0-9 _ . -) and client_secret (1 to 256 characters).`,
  );
}

/** What the desk needs; the secret is shown this once. */
function whereTo(
  { compId, host, tls, waitSeconds, firstSeconds }: CertifyOptions,
  port: number,
  directory: string,
  made: Credentials | undefined,
): string {
  const rows: [string, string][] = [
    ['address', `${address(host, port)}, ${tls === undefined ? 'without TLS' : 'TLS'}`],
    ['SenderCompID(49)', compId],
    ['TargetCompID(56)', ENGINE_COMP_ID],
    ...(made === undefined
      ? ([['credentials', 'those of --credentials']] as [string, string][])
      : ([
          ['Username(553)', made.clientKey],
          ['Password(554)', `${made.clientSecret}   (shown once, valid for this run)`],
        ] as [string, string][])),
    ...(tls === 'generated' ? ([['certificate', join(directory, 'generated-tls.pem')]] as [string, string][]) : []),
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(18)}${value}`).join('\n');
  return `Certification of ${compId}: the desk may log on now, within ${firstSeconds} s; each later message has ${waitSeconds} s.\n${table}\nThe script: fix-config/certification.md\n\n`;
}
