/** The interface to the programs that a run loads and kills: on one machine, or on several. */
import type { Redis } from 'ioredis';
import type { BookingFacts, Hold } from '../../engine/domain/conversions/booking.js';
import type { OpenStoreOptions } from '../../engine/store/store.js';
import type { Random } from './commands.js';
import type { Kill } from './kills.js';

export interface Site {
  /** HOST:PORT of an engine, of several the next one each time; undefined while none is up. */
  fixDoor(): string | undefined;
  /** HOST:PORT of each sidecar that is up. */
  restDoors(): readonly string[];
  /** Options for a direct connection to the store; undefined while its address is not known. */
  storeOptions(): Pick<OpenStoreOptions, 'dataDir' | 'redisUrl' | 'masterKey'> | undefined;
  anyKill(random: Random, round: number): Kill;
  /** False when the part is not running just now. */
  kill(part: string): Promise<boolean>;
  /** Starts what does not run; resolves when everything is up and the store answers. */
  restore(): Promise<void>;
  /** A direct connection to Redis, to inspect the stored data. */
  look<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** Appends the beginning of one more step to the file of a dead store; false where there is none. */
  tearLastWrite(share: number): boolean;
  /** The findings of the operator's own reconciliation: empty where everything agrees. */
  reconcile(): Promise<string>;
  /** Checks all bookings so far. */
  judge?(bookings: readonly BookingFacts[]): void;
  /** Checks a held rate; `askedAtMs`: the earliest time of its request, epoch ms. */
  judgeHold?(hold: Hold, askedAtMs: number): void;
  /** The last output of the programs. */
  words(): string;
  /** Called with the FIX address of an engine that no longer answers, although its connections are open. */
  readonly onSilent: Set<(door: string) => void>;
  stop(): Promise<void>;
}
