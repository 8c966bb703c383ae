/** What a run needs of the programs that it loads and kills: on one machine, or on several. */
import type { Redis } from 'ioredis';
import type { BookingFacts, Hold } from '../../engine/domain/booking.js';
import type { OpenStoreOptions } from '../../engine/store/store.js';
import type { Random } from './commands.js';
import type { Kill } from './kills.js';

export interface Site {
  /** HOST:PORT of an engine, where there are several another one each time; undefined while none is up. */
  fixDoor(): string | undefined;
  /** HOST:PORT of each sidecar that is up. */
  restDoors(): readonly string[];
  /** The store past the product; undefined while it is not known where it is. */
  storeOptions(): Pick<OpenStoreOptions, 'dataDir' | 'redisUrl' | 'masterKey'> | undefined;
  anyKill(random: Random, round: number): Kill;
  /** False when the part is not running just now. */
  kill(part: string): Promise<boolean>;
  /** Starts what does not run; resolves when all of it is up and the store answers. */
  restore(): Promise<void>;
  /** A connection past the product, to look at what is kept. */
  look<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** The beginning of one more step at the end of the file of a store that is dead; false where there is none. */
  tearLastWrite(share: number): boolean;
  /** What the operator's own reconciliation finds: nothing where all agrees. */
  reconcile(): Promise<string>;
  /** Looks at everything that is booked by now. */
  judge?(bookings: readonly BookingFacts[]): void;
  /** Looks at a rate that is held; when it was asked for at the earliest, epoch ms. */
  judgeHold?(hold: Hold, askedAtMs: number): void;
  /** What the programs have printed last. */
  words(): string;
  /** Called with the FIX door of an engine that does not answer any more, though its connections stand. */
  readonly onSilent: Set<(door: string) => void>;
  stop(): Promise<void>;
}
