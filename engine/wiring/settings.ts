/** The settings of every program here: what each accepts, who reads it, and what docs/configuration.md says of it. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { THRESHOLDS_USD } from '../domain/corridors/when.js';
import { HOLD_LIMIT_USD, HOLD_MAXIMUM_USD } from '../domain/hold-period.js';
import { OPERATOR_NAME } from '../domain/rights.js';
import { ADDRESS_LIST } from '../service/core/address-list.js';

const wholeNumber = (from: number, to: number, unit: string) => {
  const accepted = { error: `a whole number from ${from} to ${to}${unit && ` (${unit})`}` };
  return z
    .string()
    .regex(/^\d{1,15}$/, accepted)
    .transform(Number)
    .refine((n) => n >= from && n <= to, accepted);
};
const port = (fallback: number) => wholeNumber(0, 65_535, '0: any free port').default(fallback);
const perMinute = (fallback: number) => wholeNumber(0, 1_000_000, 'a minute; 0: no limit').default(fallback);
const percent = (fallback: number) => {
  const accepted = { error: 'a percentage above 0 and up to 100, such as 2.5' };
  const text = z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/, accepted)
    .transform(Number);
  return text.refine((n) => n > 0 && n <= 100, accepted).default(fallback);
};
const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });
/** Who decides about money; the store keeps it, see store/coordination/ports.ts. */
const mode = oneOf(['sandbox', 'manual']).optional();
const MODE_FALLBACK = 'none with `REDIS_URL`, where it must be set; else that of the store, `sandbox` in a new one';
const path = z.string().transform((text) => resolve(text));
/** In the place of a certificate's path: one that we make ourselves, for a try. */
export const GENERATED = 'generated';
const certificate = z.string().transform((text) => (text === GENERATED ? text : resolve(text)));
/** Host names with commas between them. */
const hostNames = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,253}(, *[A-Za-z0-9._-]{1,253}){0,31}$/, { error: 'host names with commas between them' })
  .transform((text): readonly string[] => text.split(/, */));
const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, { error: 'an address or a host name' });

/** Proxies in front of a door. */
const proxies = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((list) => ADDRESS_LIST.safeParse(list).success, {
    error: 'addresses or blocks of them, such as 10.0.0.5,10.1.0.0/16,2001:db8::/32, at most 100',
  });

const COMP_ID = '[A-Za-z0-9._-]{1,32}';

/** The programs that read a setting; `ratewire` is the operator's command line. `npm start` hands what it is given to engine and sidecar. */
export type Reader = 'engine' | 'sidecar' | 'ratewire' | 'npm start';
const ALL: readonly Reader[] = ['engine', 'sidecar', 'ratewire'];
const DOORS: readonly Reader[] = ['engine', 'sidecar'];
const ENGINE: readonly Reader[] = ['engine'];
const SIDECAR: readonly Reader[] = ['sidecar'];

/**
 * Every setting, by its heading in docs/configuration.md, which `npm run docs` makes from here: each has `readBy`, and a
 * `description` for who has to set it. What is `accepted` stands there only where the schema's own fault does not say it;
 * `fallback` where the default is not a plain value.
 */
export const SETTINGS = {
  'Store and keys': {
    // Checked where it is understood: store/connection/redis-url.ts.
    REDIS_URL: z.string().optional().meta({
      readBy: ALL,
      description:
        'The Redis or Valkey, 7 or later, that is the system of record: one server, one behind Sentinels, or a cluster, by some of its nodes; see [redis.md](redis.md). Unset, the engine starts a store of its own in `DATA_DIR`: right for one machine, not for several.',
      accepted:
        '`redis://[user:password@]host:port[/db]`, `redis://[user:password@]host:port,host:port` for a cluster, `rediss://...` for TLS, or `sentinel://[user:password@]host:port,host:port/name[/db]`',
      fallback: 'a store of its own',
    }),
    // store/keys/master-key.ts.
    MASTER_KEY: z.string().optional().meta({
      readBy: ALL,
      description:
        'The one key from which those of secrets, signed rates and cursors are derived: the same for every process on one store, and kept outside it. Without it secrets cannot be checked any more.',
      accepted: '32 bytes in base64, as from `openssl rand -base64 32`',
      fallback: '`DATA_DIR/master.key`, made once',
    }),
    DATA_DIR: path.default(resolve('data')).meta({
      readBy: ALL,
      description:
        'Directory of the master key, of the demo credentials, and of a store that the engine starts by itself. Made with mode 0700 where it is missing.',
      accepted: 'a directory that can be written',
      fallback: '`./data`',
    }),
    DEMO: oneOf(['yes', 'no'])
      .optional()
      .meta({
        readBy: ['npm start'],
        description:
          'Whether `npm start` makes the clients `demo` (with money) and `house` (with a key of an operator), where there are no others.',
        fallback: 'yes on a store that it starts by itself, no with `REDIS_URL`',
      }),
    STORE_FSYNC: oneOf(['always', 'everysec']).default('always').meta({
      readBy: ALL,
      description:
        'What the append-only file of the store must be set to. With `everysec` a crash of the machine may lose the last second of what was acknowledged.',
    }),
    STORE_REPLICAS: wholeNumber(0, 5, 'replicas').default(0).meta({
      readBy: ALL,
      description:
        'So many replicas of each server at `REDIS_URL` have what is acknowledged; where too few of them have it within a second, the answer is STORE_UNAVAILABLE and the outcome unknown. The same for every process on one store; see [redis.md](redis.md).',
    }),
    // store/audit/audit-sink.ts.
    AUDIT_LOG: z.string().optional().meta({
      readBy: ALL,
      description:
        'Where each entry of the audit log goes besides the store, one JSON line each, so that what is removed there is not lost: a file, or a syslog server (RFC 5424, UDP). A change is refused while the file cannot be written.',
      accepted: '`file:<path>` or `syslog://<host>[:port]`',
      fallback: 'the store alone',
    }),
  },
  Doors: {
    HOST: host.default('127.0.0.1').meta({
      readBy: DOORS,
      description:
        'The address of this machine on which others reach the doors. Where it is no loopback address only the ports with TLS listen on it; see `PLAINTEXT`.',
    }),
    PLAINTEXT: oneOf(['loopback', 'anywhere']).default('loopback').meta({
      readBy: DOORS,
      description:
        'Where the ports without TLS listen: on this machine alone, or on `HOST` too (`anywhere`: right where a proxy or a tunnel encrypts).',
    }),
    FIX_PROXY_PROTOCOL: proxies.meta({
      readBy: ENGINE,
      description:
        'Proxies and load balancers in front of the FIX ports that begin each connection with a PROXY protocol header, version 2: they must send it, before TLS, and no other peer may. The address in it is that of the desk in every list, limit and log; see [operations](operations.md#behind-a-proxy).',
      accepted: 'addresses or blocks of them, such as `10.0.0.5,10.1.0.0/16`, at most 100',
      fallback: 'none',
    }),
    FIX_PORT: port(5200).meta({ readBy: ENGINE, description: 'Port of the FIX door without TLS.' }),
    FIX_TLS_PORT: port(5201).meta({
      readBy: ENGINE,
      description: 'Port of the FIX door with TLS; open where a certificate is given.',
    }),
    FIX_TLS_CERTIFICATE: certificate.optional().meta({
      readBy: ENGINE,
      description:
        'Certificate of the FIX door, with its chain. Goes with `FIX_TLS_KEY`. Read again when the file changes. `generated` makes a self-signed one in `DATA_DIR`, for a try.',
      accepted: 'path of a PEM file, or `generated`',
      fallback: 'no TLS',
    }),
    FIX_TLS_KEY: path.optional().meta({
      readBy: ENGINE,
      description: 'Private key of that certificate; none with `generated`.',
      accepted: 'path of a PEM file',
      fallback: 'no TLS',
    }),
    FIX_TLS_CLIENT_CA: path.optional().meta({
      readBy: ENGINE,
      description:
        'Who may connect to the FIX door with TLS: desks with a certificate that one of these has signed, and that names their CompID (its common name, or a DNS name).',
      accepted: 'path of a PEM file',
      fallback: 'every desk, with or without a certificate',
    }),
    FIX_SCHEDULE: oneOf(['always', 'weekly']).default('always').meta({
      readBy: DOORS,
      description:
        'When the market is open. `weekly`: Sunday 17:00 to Friday 17:00, New York time; FIX sessions end with it and begin again at sequence number 1.',
    }),
    TOKEN_ON_REQUEST: oneOf(['required', 'session']).default('required').meta({
      readBy: ENGINE,
      description:
        'Whether a FIX request that needs a token must carry it (`required`), or the one of its Logon(A) stands for all (`session`).',
    }),
    FIX_CONFORMANCE: z
      .string()
      .regex(new RegExp(`^${COMP_ID}:${COMP_ID}$`), { error: '<SenderCompID>:<TargetCompID>, such as TW44:ISLD' })
      .optional()
      .meta({
        readBy: ENGINE,
        description:
          'A session without credentials, for a conformance test. Refused unless `HOST` is a loopback address.',
        accepted: '`<SenderCompID>:<TargetCompID>`, such as `TW44:ISLD`',
        fallback: 'none',
      }),
    REST_PROXY_PROTOCOL: proxies.meta({
      readBy: SIDECAR,
      description:
        'Proxies and load balancers in front of the REST ports that begin each connection with a PROXY protocol header, version 2; the rules are those of `FIX_PROXY_PROTOCOL`.',
      accepted: 'addresses or blocks of them, such as `10.0.0.5,10.1.0.0/16`, at most 100',
      fallback: 'none',
    }),
    TRUSTED_PROXIES: proxies.meta({
      readBy: SIDECAR,
      description:
        'HTTP proxies in front of the REST ports whose `X-Forwarded-For` is believed: the right-most address in it that is not one of these proxies is that of the caller in every list, limit and log. The header of any other peer is ignored.',
      accepted: 'addresses or blocks of them, such as `10.0.0.5,10.1.0.0/16`, at most 100',
      fallback: 'none',
    }),
    REST_PORT: port(8080).meta({ readBy: SIDECAR, description: 'Port of the REST API and of its pages, without TLS.' }),
    REST_TLS_PORT: port(8443).meta({
      readBy: SIDECAR,
      description: 'Port of the same with TLS; open where a certificate is given.',
    }),
    REST_TLS_CERTIFICATE: certificate.optional().meta({
      readBy: SIDECAR,
      description: 'Certificate of the sidecar, as `FIX_TLS_CERTIFICATE`. Goes with `REST_TLS_KEY`.',
      accepted: 'path of a PEM file, or `generated`',
      fallback: 'no TLS',
    }),
    REST_TLS_KEY: path.optional().meta({
      readBy: SIDECAR,
      description: 'Private key of that certificate; none with `generated`.',
      accepted: 'path of a PEM file',
      fallback: 'no TLS',
    }),
    REST_TLS_CLIENT_CA: path.optional().meta({
      readBy: SIDECAR,
      description: 'Who may connect to the sidecar with TLS: callers with a certificate that one of these has signed.',
      accepted: 'path of a PEM file',
      fallback: 'every caller, with or without a certificate',
    }),
    METRICS_HOST: host.optional().meta({
      readBy: DOORS,
      description: 'The address for `METRICS_PORT` and `REST_METRICS_PORT`, which have no TLS.',
      fallback: '`HOST` where that is a loopback address, else 127.0.0.1',
    }),
    METRICS_NAMES: hostNames.default([]).meta({
      readBy: DOORS,
      description:
        'Host names by which `METRICS_PORT` and `REST_METRICS_PORT` may be asked, besides IP addresses, localhost and `METRICS_HOST`; another is refused by 403.',
      accepted: 'host names with commas between them',
      fallback: 'none',
    }),
    METRICS_PORT: port(9464).meta({
      readBy: ENGINE,
      description: 'Port of `/metrics`, `/health` and `/ready` of the engine; for the operator alone.',
    }),
    REST_METRICS_PORT: port(9465).meta({ readBy: SIDECAR, description: 'The same of the sidecar.' }),
    LIVE: oneOf(['on', 'off']).default('on').meta({
      readBy: SIDECAR,
      description: 'Whether the sidecar serves the live page at `/live`, and the stream that it reads.',
    }),
  },
  Rates: {
    // rates/feed.ts.
    FEED: z.string().default('replay').meta({
      readBy: ENGINE,
      description:
        'Where the rates come from, several providers with commas between them. `relay` takes them from the engine that has the feed.',
      accepted:
        '`replay`, `replay:<file>@<UTC time>`, `simulated[:<seed>]`, `ws://...`, `wss://...`, `fix://...`, `fixs://...`, `relay`',
    }),
    RATE_MAX_AGE_MS: wholeNumber(100, 600_000, 'milliseconds').default(5_000).meta({
      readBy: ALL,
      description: "A provider's price that is older is no price: it is neither served nor traded.",
    }),
    RATE_MAX_JUMP_PERCENT: percent(2).meta({
      readBy: DOORS,
      description:
        "A price whose mid is further than this from the provider's last has to be confirmed by the next one.",
    }),
    RATE_MAX_SPREAD_PERCENT: percent(2).meta({
      readBy: DOORS,
      description: 'A price with a wider spread is refused.',
    }),
  },
  Limits: {
    RATE_LIMIT_AUTHENTICATION: perMinute(60).meta({
      readBy: SIDECAR,
      description: 'Attempts to authenticate, for each client key and for each address.',
    }),
    RATE_LIMIT_READS: perMinute(600).meta({
      readBy: SIDECAR,
      description: 'Reads of a client over all sidecars, unless the client has a limit of its own.',
    }),
    RATE_LIMIT_WRITES: perMinute(300).meta({
      readBy: SIDECAR,
      description: 'The same for everything that is no read.',
    }),
  },
  Holds: {
    HOLD_LIMIT_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(HOLD_LIMIT_USD).meta({
      readBy: DOORS,
      description:
        'Worth that the open holds of a client may come to, unless the client has a limit of its own (`ratewire clients change --hold-limit-usd`). 0: no rate is held.',
    }),
    HOLD_MAXIMUM_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(HOLD_MAXIMUM_USD).meta({
      readBy: DOORS,
      description:
        'The most that a hold without an amount is for, unless the client has a maximum of its own (`--hold-maximum-usd`). For more, the amount is named when the rate is locked.',
    }),
  },
  'Funding and payments': {
    FUNDING: mode.meta({
      readBy: DOORS,
      description: 'Who decides about fundings: a sandbox by itself, or an operator (`ratewire funding`).',
      fallback: MODE_FALLBACK,
    }),
    SANDBOX_FUNDING_SECONDS: wholeNumber(0, 86_400, 'seconds')
      .default(10)
      .meta({ readBy: DOORS, description: 'How long the sandbox takes for a funding.' }),
    PAYMENTS: oneOf(['on', 'off'])
      .default('on')
      .meta({ readBy: SIDECAR, description: 'Whether this sidecar works on payments, or only answers.' }),
    COMPLIANCE: mode.meta({
      readBy: SIDECAR,
      description:
        "Who decides about payments: words in the beneficiary's name, or an operator (`ratewire payments approve`).",
      fallback: MODE_FALLBACK,
    }),
    PAYOUT: mode.meta({
      readBy: SIDECAR,
      description: 'Who says what the bank did: a sandbox, or an operator (`ratewire payments paid`).',
      fallback: MODE_FALLBACK,
    }),
    PAYMENT_IDENTITY_USD: wholeNumber(0, 1_000_000_000, 'US dollars')
      .default(THRESHOLDS_USD.identity)
      .meta({ readBy: SIDECAR, description: 'Worth from which a payment has to say who its remitter is.' }),
    PAYMENT_PURPOSE_USD: wholeNumber(0, 1_000_000_000, 'US dollars')
      .default(THRESHOLDS_USD.purpose)
      .meta({ readBy: SIDECAR, description: 'Worth from which a payment has to say what it is for.' }),
    UK_MODULUS_TABLE: path.optional().meta({
      readBy: SIDECAR,
      description:
        "Weights of the UK's modulus check of sort code and account (Vocalink's `valacdos`). Without it they are judged by their shape alone.",
      accepted: 'path of a file',
      fallback: 'no such check',
    }),
  },
  'Command line': {
    RATEWIRE_OPERATOR: z
      .string()
      .regex(OPERATOR_NAME, { error: '1 to 64 letters, digits, spaces and . _ @ -' })
      .optional()
      .meta({
        readBy: ['ratewire'],
        description:
          'Who sits at the command line, for the audit log, where several people share an account; `--as` says it for one command.',
        fallback: 'the account of the operating system',
      }),
  },
  Log: {
    LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
      readBy: DOORS,
      description: 'From which level on lines go to stderr, as JSON. `npm start` takes `warn` where it is unset.',
    }),
  },
};
