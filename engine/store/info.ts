/** What Redis says of itself, for metrics and for `ratewire store`. */
import type { Connection } from './connection.js';

export interface StoreInfo {
  readonly kind: string;
  /** As Redis counts it: Valkey reports the version that it is compatible with. */
  readonly version: string;
  readonly usedMemoryBytes: number;
  /** 0: no bound. */
  readonly maxMemoryBytes: number;
  readonly appendOnlyFileBytes: number;
  /** How long this answer took. */
  readonly answeredInMs: number;
}

export async function readInfo(connection: Connection, kind: string): Promise<StoreInfo> {
  const asked = performance.now();
  const text = await connection.read((redis) => redis.info());
  const value = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(text)?.[1] ?? '';
  return {
    kind,
    version: value('redis_version'),
    usedMemoryBytes: Number(value('used_memory')),
    maxMemoryBytes: Number(value('maxmemory')),
    appendOnlyFileBytes: Number(value('aof_current_size')),
    answeredInMs: performance.now() - asked,
  };
}
