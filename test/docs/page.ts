/** The command blocks of a page, run as a reader would: in a clone of their own, in a shell that remembers, one after the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLEAN_ENV } from '../support/clean-env.js';
import { freePort } from '../support/free-port.js';
import { ratewireOn } from '../support/ratewire.js';
import { ROOT, read } from '../tidy/tree.js';

export interface Block {
  readonly line: number;
  readonly commands: string;
  /** What the page shows under it. */
  readonly shown: string | undefined;
}

/** ```sh is run; ```text right after it is what it shows. ```console marks what cannot be run in a test. */
export function blocksOf(page: string): Block[] {
  const text = read(page);
  return [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n*^```text\n(.*?)^```$)?/gms)].map(
    ({ index, 1: commands, 2: shown }) => ({
      line: text.slice(0, index).split('\n').length,
      commands: commands!,
      shown,
    }),
  );
}

const PORTS = [
  'FIX_PORT',
  'FIX_TLS_PORT',
  'REST_PORT',
  'REST_TLS_PORT',
  'METRICS_PORT',
  'REST_METRICS_PORT',
  'REDIS_PORT',
  'LP_PORT',
];
/** A command that keeps running: it runs in a terminal of its own, and the next blocks in another. */
const STAYS = /^(npm (start|run engine|run sidecar|run lp-simulator\b.*)|redis-server \S+)$/m;
/**
 * The first command of a page is run as printed: npx finds it in the clone, and starts it. To load the operator's programs takes a second of
 * CPU for each further one: the test's process runs those, with the arguments and the environment that the reader's shell gives them. What
 * stays (`listen`) is a process.
 */
const NPX = `npx() {
  npx() {
    if [ "$2" = listen ]; then "node_modules/.bin/$1" "\${@:2}"; return; fi
    local code out err
    { read -r code; read -r out; read -r err; } < <({ printf '%s\\0' "$#" "$@"; env -0; } | curl -s --data-binary @- "$COMMANDS_URL")
    base64 -d <<<"$out"; base64 -d <<<"$err" >&2; return "$code"
  }
  command npx "$@"
}`;
const READY_MS = 60_000;
const BLOCK_MS = 60_000;

export class Reader {
  readonly #folder = clone();
  readonly #env: NodeJS.ProcessEnv;
  readonly #staying = new Map<string, { readonly child: ChildProcess; readonly said: () => string }>();
  readonly #shell: ChildProcess;
  readonly #commands: Commands;
  #said = '';

  private constructor(
    ports: Readonly<Record<string, string>>,
    private readonly readersPort: string,
    commands: Commands,
  ) {
    this.#commands = commands;
    // On a busy machine the simulated rates come late.
    this.#env = {
      ...CLEAN_ENV,
      HOME: this.#folder,
      RATE_MAX_AGE_MS: '60000',
      COMMANDS_URL: commands.url,
      ...ports,
    };
    // Paths are relative to the clone, also in commands that this process runs.
    process.chdir(this.#folder);
    this.#shell = this.#spawn(['-s']);
    this.#shell.stdin!.write(`${NPX}\n`);
    for (const stream of [this.#shell.stdout!, this.#shell.stderr!])
      stream.on('data', (chunk) => (this.#said += chunk));
  }

  /** With free ports. */
  static async begin(): Promise<Reader> {
    const [readers, ...free] = await Promise.all(['a program of the reader', ...PORTS].map(freePort));
    const ports = Object.fromEntries(PORTS.map((name, i) => [name, String(free[i])]));
    return new Reader(ports, String(readers), await runCommands());
  }

  /** What the block prints; throws with it when it does not end well. */
  async run(block: Block): Promise<string> {
    // A program of the reader listens on 3000, which another one may have on this machine.
    const commands = block.commands.replaceAll(/\b3000\b/g, this.readersPort);
    if (STAYS.test(commands)) return this.#stay(commands);
    this.#said = '';
    this.#shell.stdin!.write(`set -e\n${commands}\nset +e; echo "end of block"\n`);
    const ended = await this.#within(BLOCK_MS, () => this.#said.endsWith('end of block\n'), this.#shell);
    if (!ended) throw new Error(`it did not end well:\n${commands}\n${this.#said}`);
    return this.#said.slice(0, -'end of block\n'.length);
  }

  /** Of the pages of one reader the next one finds running what the first has started. */
  async #stay(commands: string): Promise<string> {
    if (!this.#staying.has(commands)) this.#staying.set(commands, this.#started(commands));
    const { child, said } = this.#staying.get(commands)!;
    const isReady = () => /^ready .*\n|Ready to accept connections/m.test(said());
    if (!(await this.#within(READY_MS, isReady, child))) throw new Error(`it did not start:\n${commands}\n${said()}`);
    // The log is another stream than the line of the start: either may come first.
    const lines = said().split('\n');
    const isLast = (line: string) => line.startsWith('ready ');
    return [...lines.filter((line) => !isLast(line)), ...lines.filter(isLast)].join('\n');
  }

  #started(commands: string): { child: ChildProcess; said: () => string } {
    const child = this.#spawn(['-c', commands]);
    let said = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk));
    return { child, said: () => said };
  }

  async #within(ms: number, isSo: () => boolean, child: ChildProcess): Promise<boolean> {
    for (const until = Date.now() + ms; Date.now() < until && child.exitCode === null; ) {
      if (isSo()) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return isSo();
  }

  #spawn(args: readonly string[]): ChildProcess {
    // A group of its own: what a shell has started ends with it.
    return spawn('bash', args, { cwd: this.#folder, env: this.#env, stdio: 'pipe', detached: true });
  }

  /** Ends what runs, the last first, as Ctrl-C does. */
  async end(): Promise<void> {
    const staying = [...this.#staying.values()].map(({ child }) => child);
    for (const child of [...staying.reverse(), this.#shell]) {
      if (child.exitCode !== null) continue;
      const gone = new Promise((resolve) => child.once('close', resolve));
      process.kill(-child.pid!, child === this.#shell ? 'SIGTERM' : 'SIGINT');
      child.stdin!.end();
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 12_000))]);
    }
    this.#commands.end();
    process.chdir(ROOT);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Commands {
  readonly url: string;
  end(): void;
}

/** Runs the operator's commands that NPX sends, and answers with exit code, output and error output, a line each. */
async function runCommands(): Promise<Commands> {
  const server = createServer(async (request, response) => {
    const [count, ...sent] = Buffer.concat(await request.toArray())
      .toString()
      .split('\0');
    const [, ...args] = sent.splice(0, Number(count));
    const env = sent.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    const { DATA_DIR = 'data', ...more } = Object.fromEntries(env) as Record<string, string>;
    const { code, out, err } = await ratewireOn(DATA_DIR, more).run(...args);
    response.end([code, ...[out, err].map((text) => Buffer.from(text).toString('base64')), ''].join('\n'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, end: () => server.close() };
}

/** A folder that looks like a fresh clone in which everything is installed: it has no data yet. */
function clone(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'ratewire-docs-'));
  for (const name of readdirSync(ROOT))
    if (!['data', '.git'].includes(name)) symlinkSync(path.join(ROOT, name), path.join(folder, name));
  return folder;
}

/**
 * Whether what was printed has the shape of what is shown: the same lines with the same words, whatever numbers and ids they have; JSON with
 * the same fields; a line `...` matches any lines. Returns what is shown and was not printed.
 */
export function unlike(shown: string, printed: string): string[] {
  const there = shapes(printed);
  const missing: string[] = [];
  let at = 0;
  let anything = false;
  for (const line of shapes(shown)) {
    if (line === '...') {
      anything = true;
      continue;
    }
    const found = there.indexOf(line, at);
    if (found < 0 || (!anything && found > at)) missing.push(line);
    else at = found + 1;
    anything = false;
  }
  if (!anything && missing.length === 0 && at < there.length) missing.push(`nothing more, but: ${there[at]}`);
  return missing;
}

function shapes(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/[┌├└┬┼┴┐┤┘─]+/g, '-')
        // A word with a digit in it is a value, and so is the placeholder of a secret.
        .replace(/[^\s"=,|│]*\d[^\s"=,|│]*|"[A-Za-z\d_-]{40,}"/g, '#')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '' && line !== '-' && !/^npm warn /.test(line));
}
