/** The copy of each audit entry outside the store: a file, or a syslog server (RFC 5424, UDP). One JSON line each. */

import { createSocket } from 'node:dgram';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { Log } from '../../domain/core/log.js';
import { AuditLogUnavailable, StoreStartError } from '../connection/errors.js';

export interface SentEntry {
  /** Its id in the log of the store. */
  readonly entry: string;
  readonly number: number;
  readonly mac: string;
  /** Alternating names and values, as the HMAC covers them. */
  readonly fields: readonly string[];
}

export interface AuditSink {
  /** Throws AuditLogUnavailable where it cannot be written: then the change is not made. */
  write(sent: SentEntry): Promise<void>;
}

/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5;
const SYSLOG_PORT = 514;
/** Maximum size of a UDP datagram. */
const DATAGRAM_MAX = 60_000;

/** `file:<path>` or `syslog://<host>[:port]`. Throws StoreStartError for anything else, and for an unwritable file. */
export function auditSink(target: string, log: Log): AuditSink {
  const [, path] = /^file:(?:\/\/(?=\/))?([^\0]+)$/.exec(target) ?? [];
  if (path !== undefined) return fileSink(path, log);
  const [, bracketed, plain, port = String(SYSLOG_PORT)] =
    /^syslog:\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]{1,253}))(?::(\d{1,5}))?$/.exec(target) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new StoreStartError(
      'AUDIT_LOG is neither file:<path> nor syslog://<host>[:port]: set one of them, or unset it',
    );
  return syslogSink(host, Number(port), log);
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'error';
const lineOf = ({ entry, number, mac, fields }: SentEntry): string => JSON.stringify({ number, entry, mac, fields });

function unavailable(log: Log, why: string): AuditLogUnavailable {
  const message = `AUDIT_LOG: ${why}. Nothing was changed`;
  log.error({}, message);
  return new AuditLogUnavailable(message);
}

function fileSink(path: string, log: Log): AuditSink {
  try {
    closeSync(openSync(path, 'a', 0o600));
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new StoreStartError(
      `AUDIT_LOG: ${path} cannot be written (${codeOf(error)}): make it writable, or set another file`,
    );
  }
  return {
    async write(sent) {
      try {
        // Opened each time: the file may have been rotated.
        const file = await open(path, 'a', 0o600);
        try {
          await file.appendFile(`${lineOf(sent)}\n`);
          await file.datasync();
        } finally {
          await file.close();
        }
      } catch (error) {
        throw unavailable(
          log,
          `${path} cannot be written (${codeOf(error)}): make room, make it writable, or set another file`,
        );
      }
    },
  };
}

function syslogSink(host: string, port: number, log: Log): AuditSink {
  return {
    async write(sent) {
      const head = `<${PRIORITY}>1 ${new Date(Number.parseInt(sent.entry, 10)).toISOString()} ${hostname()} ratewire ${process.pid} audit -`;
      const datagram = Buffer.from(`${head} ${lineOf(sent)}`).subarray(0, DATAGRAM_MAX);
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
      const failed = await new Promise<Error | null>((resolve) => {
        socket.once('error', resolve);
        socket.send(datagram, port, host, resolve);
      });
      socket.close();
      if (failed === null) return;
      throw unavailable(log, `the syslog server ${host}:${port} cannot be reached (${codeOf(failed)}): check its name`);
    },
  };
}
