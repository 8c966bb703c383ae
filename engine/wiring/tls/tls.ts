/**
 * TLS for a listener: its certificate, read again without a restart when a file of it changes, and bounds on handshakes, which
 * come before anything else of a listener can count or refuse a peer.
 */
import { constants, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, type Server, type TlsOptions } from 'node:tls';
import type { Log } from '../../domain/core/log.js';
import { type Config, SettingError } from '../config.js';
import type { Metrics } from '../metrics/metrics.js';
import { GENERATED } from '../setting-forms.js';
import { generatedCertificate } from './generated-certificate.js';

export interface TlsListener {
  readonly options: TlsOptions;
  /** Whether a peer must show a certificate. */
  readonly mutual: boolean;
  /** When the certificate that is served now ends, epoch ms. */
  endsAtMs(): number;
  /** For each server of `options`, before it listens. */
  prepare(server: Server): void;
  stop(): void;
}

interface TlsTiming {
  /** Interval of the checks of the files, ms. */
  readonly lookMs: number;
  /** A handshake that has not ended by then is closed, ms. */
  readonly handshakeMs: number;
  /** Handshakes under way; one more closes the oldest. */
  readonly handshakesMax: number;
}

// A thousand desks that reconnect at once after a restart are accepted.
const TIMING: TlsTiming = { lookMs: 60_000, handshakeMs: 5_000, handshakesMax: 1_000 };

/** Undefined: the door has no certificate. Throws SettingError for an unusable one. */
export async function openTls(
  door: 'FIX' | 'REST',
  config: Config,
  log: Log,
  timing: Partial<TlsTiming> = {},
): Promise<TlsListener | undefined> {
  const setting = `${door}_TLS_CERTIFICATE` as const;
  const certificate = config[setting];
  if (certificate === undefined) return undefined;
  const { lookMs, handshakeMs, handshakesMax } = { ...TIMING, ...timing };
  const clientCa = config[`${door}_TLS_CLIENT_CA`];
  const mutual = clientCa !== undefined;
  const files = async () => ({
    ...(certificate === GENERATED
      ? await generatedCertificate(config.DATA_DIR, config.HOST)
      : { certificate, key: config[`${door}_TLS_KEY`]! }),
    ...(mutual && { clientCa }),
  });

  const servers = new Set<Server>();
  let seen = '';
  let options: TlsOptions = {};
  let endsAtMs = 0;
  const load = (paths: Files): void => {
    seen = stampOf(Object.values(paths));
    const read = readOptions(paths);
    createSecureContext(read);
    options = { ...read, handshakeTimeout: handshakeMs, requestCert: mutual, rejectUnauthorized: true };
    const served = new X509Certificate(read.cert);
    endsAtMs = Date.parse(served.validTo);
    logCertificate(log, door, served, certificate === GENERATED);
  };
  try {
    load(await files());
  } catch (error) {
    throw new SettingError(`${setting} cannot be used (${reasonOf(error)}): set a PEM file, and the key of it.`);
  }

  /** A certificate that does not match its key is one of two files that are being replaced: the old pair remains in use. */
  const checkFiles = async (): Promise<void> => {
    try {
      const paths = await files();
      if (stampOf(Object.values(paths)) === seen) return;
      load(paths);
      for (const server of servers) server.setSecureContext(options);
    } catch (error) {
      log.error({ door, reason: reasonOf(error) }, 'the new certificate cannot be used: the old one remains in use');
    }
  };
  const timer = setInterval(checkFiles, lookMs).unref();
  return {
    get options() {
      return options;
    },
    mutual,
    endsAtMs: () => endsAtMs,
    prepare(server) {
      servers.add(server);
      server.once('close', () => servers.delete(server));
      boundHandshakes(server, handshakesMax);
    },
    stop: () => clearInterval(timer),
  };
}

/** Forward secrecy: the private key does not decrypt recorded connections. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

interface Files {
  readonly certificate: string;
  readonly key: string;
  readonly clientCa?: string;
}

function readOptions({ certificate, key, clientCa }: Files) {
  // With client certificates each connection presents its own: a session ticket would outlive the trust in one.
  const tickets = clientCa === undefined ? 0 : constants.SSL_OP_NO_TICKET;
  return {
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ...(clientCa !== undefined && { ca: readFileSync(clientCa) }),
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | tickets,
  } as const;
}

/** Changes whenever one of the files is written or put in the place of another. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => statSync(file))
    .map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`)
    .join('\n');
}

/** When the certificate ends: a metric, for an alert in time. */
export function tlsMetrics(metrics: Metrics, tls: TlsListener | undefined): void {
  const [name, help] = [
    'ratewire_tls_certificate_end_timestamp_seconds',
    'When the TLS certificate ends that is served',
  ];
  if (tls) metrics.gauge(name, help, () => tls.endsAtMs() / 1_000);
}

function logCertificate(
  log: Log,
  door: string,
  { fingerprint256: sha256, validTo }: X509Certificate,
  generated: boolean,
): void {
  const about = { door, sha256, validTo };
  if (Date.parse(validTo) < Date.now()) log.error(about, 'the TLS certificate has expired');
  // Logged as a warning, so that it is shown at every level: the operator compares it.
  else if (generated) log.warn(about, 'a TLS certificate of our own, for a try: compare its fingerprint');
  else log.info(about, 'TLS certificate');
}

/** Closes a silent peer at its timeout, or when too many others connect: no other limit applies to it. */
function boundHandshakes(server: Server, most: number): void {
  const open = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    if (open.size >= most) {
      const [oldest, first] = open.entries().next().value!;
      open.delete(oldest);
      first.destroy();
    }
    open.set(peer, socket);
    socket.once('close', () => open.get(peer) === socket && open.delete(peer));
  });
  server.on('secureConnection', (socket) => open.delete(peerOf(socket)));
  // Node reports a handshake that failed or timed out, and leaves the socket open.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
}

/** The same for the TCP socket and for the TLS socket on it. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** OpenSSL's text, which contains nothing of a file. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
