import { fileURLToPath } from 'node:url';
import type { Log as FixLog } from 'node-quickfix-ts';
import type { Log } from '../../domain/core/log.js';
import { projectFile } from '../../domain/data/data-file.js';
import type { ProviderOptions, ProviderRegistry } from '../tick-sink.js';

/** A source of prices: it starts, it puts ticks into the book until it is stopped, it reconnects by itself. */
export interface Feed {
  /** Without credentials: for logs and metrics. */
  readonly name: string;
  /** Resolves when the feed runs, connected or not. Rejects with FeedSettingError when the setting cannot work. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The channel between the engine that has the feed and the engines that do not. */
export interface RelayChannel {
  /** Resolves to how many listen, undefined when that is not known. */
  publish(message: Uint8Array): Promise<number | undefined>;
  /** Replaces the last known rates by symbol, bid and offer as text; for people and cold starts. */
  writeSnapshot?(rates: Readonly<Record<string, string>>): Promise<unknown> | undefined;
  /** `underWayMs`: how long ago the channel passed the message on. Ends the subscription when called. */
  subscribe(listener: (message: Uint8Array, underWayMs: number) => void): Promise<() => Promise<void> | void>;
}

export interface FeedDeps {
  readonly book: ProviderRegistry;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Of the sessions with FIX providers; absent: none. */
  readonly messageLog?: FixLog;
  /** Needed by FEED=relay only. */
  readonly relay?: RelayChannel;
  /** Epoch ms; Date.now when absent. */
  readonly wallNow?: () => number;
  /** Monotonic ms, the book's clock; performance.now when absent. */
  readonly now?: () => number;
}

/** The setting FEED cannot work; the message is one line that names what to set instead. */
export class FeedSettingError extends Error {
  /** `problem` names the fault and what to set instead, without a credential. */
  constructor(readonly problem: string) {
    super(`FEED: ${problem}`);
    this.name = 'FeedSettingError';
  }
}

/** A user part of a URL as it was meant. Throws FeedSettingError when its percent signs are no code. */
export function decodedUserPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new FeedSettingError(
      'the user part of a URL has a % that begins no code; write % as %25, : as %3A, @ as %40',
    );
  }
}

/** Throws FeedSettingError when a URL has a parameter that is none of ours: a misspelt one would be passed over in silence. */
export function mustBeKnown(names: Iterable<string>, known: RegExp, accepted: string): void {
  for (const name of names)
    if (!known.test(name))
      throw new FeedSettingError(`'${name.slice(0, 20)}' is no parameter of this feed; accepted: ${accepted}`);
}

/** Enters a provider into the book. Throws FeedSettingError when there are too many. */
export function enterProvider(book: ProviderRegistry, name: string, options?: ProviderOptions): number {
  try {
    return book.registerProvider(name, options);
  } catch (error) {
    throw new FeedSettingError(`${error instanceof Error ? error.message : error}: name fewer feeds`);
  }
}

/** The path of a file in engine/rates/data. */
export function dataFile(name: string): string {
  return fileURLToPath(projectFile(`engine/rates/data/${name}`));
}
