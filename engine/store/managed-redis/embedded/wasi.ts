/** The WASI imports of valkey.wasm, with the data directory as `/data`. */
import { WASI } from 'node:wasi';

type Import = (...args: unknown[]) => unknown;

export function wasiFor(dir: string): { imports: Record<string, Import>; initialize(instance: object): void } {
  const wasi = new WASI({ version: 'preview1', args: ['valkey-server'], env: {}, preopens: { '/data': dir } });
  // Each import goes through a closure: Node's direct calls into WASI crash the process once the memory has grown (nodejs/node#46777,
  // #53087).
  const wrapped = Object.entries(wasi.wasiImport as Record<string, Import>).map(
    ([name, call]) => [name, (...args: unknown[]) => call(...args)] as const,
  );
  return { imports: Object.fromEntries(wrapped), initialize: (instance) => wasi.initialize(instance) };
}
