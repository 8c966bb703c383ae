/** Message logs of a test, and what they have written. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log as FixLog, SessionId } from 'node-quickfix-ts';
import { onTestFinished } from 'vitest';
import type { Log } from '../../../engine/domain/core/log.js';
import { readMessages, verifyMessages } from '../../../engine/service/audit/message-log.js';
import { type MessageLog, type MessageLogOptions, openMessageLog } from '../../../engine/store/sessions/message-log.js';
import { message } from '../../node-quickfix-ts/session/session-peer.js';

/** A folder that is there until the end of the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ratewire-messages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const key = randomBytes(32);
export const NOON_MS = Date.UTC(2026, 0, 15, 12);
export const DESK: SessionId = { beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'ACME1' };
export const OTHER: SessionId = { ...DESK, targetCompId: 'ACME2' };

export interface Opened {
  readonly log: MessageLog;
  readonly directory: string;
  readonly reports: string[];
  readonly stop: () => Promise<void>;
}

/** Stopped at the end of the test, if the test has not stopped it. */
export async function opened(options: Partial<MessageLogOptions> = {}): Promise<Opened> {
  const directory = options.directory ?? testFolder();
  const reports: string[] = [];
  const report = (_: object, text: string): void => void reports.push(text);
  const program: Log = { info: report, warn: report, error: report };
  const log = await openMessageLog({
    ...{ key, prices: false, maxBytes: 1e9, whenFull: 'stop' as const, log: program, now: () => NOON_MS },
    ...options,
    directory,
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= log.stop());
  onTestFinished(stop);
  return { log, directory, reports, stop };
}

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
export function say(log: FixLog, id: SessionId | undefined, sign: '<' | '>', fields: string): void {
  const wire = bytes(message(fields));
  if (sign === '<') log.session(id).incoming(wire, 0, wire.length);
  else log.session(id).outgoing(wire, 0, wire.length);
}
export const linesOf = (directory: string, filter = {}): string[] =>
  [...readMessages(directory, filter)].map(
    ({ target, sign, text }) => `${target} ${sign} ${text.replaceAll('\x01', '|')}`,
  );
export const intact = (directory: string): unknown[] => verifyMessages(directory, key).map(({ broken }) => broken);
