/** The settings of every program: accepted values, the programs that read them, and their text in docs/configuration.md. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { OPERATOR_NAME } from '../domain/core/rights.js';
import { CURRENCIES } from '../domain/money/money.js';
import { THRESHOLDS_USD } from '../domain/payments/corridors/when.js';
import { CLIENT_SETTINGS } from './client-settings.js';
import {
  ALL,
  certificate,
  DOORS,
  ENGINE,
  host,
  hostNames,
  oneOf,
  origins,
  path,
  percent,
  port,
  proxies,
  SIDECAR,
  wholeNumber,
} from './setting-forms.js';

/** The party that decides about money; the store keeps it, see store/coordination/ports.ts. */
const mode = oneOf(['sandbox', 'manual']).optional();
const MODE_FALLBACK = 'none with `REDIS_URL`, where it must be set; else that of the store, `sandbox` in a new one';
const COMP_ID = '[A-Za-z0-9._-]{1,32}';

/**
 * Every setting, by its heading in docs/configuration.md, which `npm run docs` generates from here. Each has `readBy` and a
 * `description` for the operator. `accepted` is set only where the schema's own fault does not state it; `fallback` where the
 * default is not a plain value.
 */
export const SETTINGS = {
  'Store and keys': {
    // Checked where it is understood: store/connection/redis-url.ts.
    REDIS_URL: z.string().optional().meta({
      readBy: ALL,
      description:
        'The Redis or Valkey, 7 or later, that is the system of record: one server, one behind Sentinels, or some nodes of a cluster; see [redis.md](redis.md). Unset, the engine starts its own store in `DATA_DIR`: for one machine, not for several.',
      accepted:
        '`redis://[user:password@]host:port[/db]`, `redis://[user:password@]host:port,host:port` for a cluster, `rediss://...` for TLS, or `sentinel://[user:password@]host:port,host:port/name[/db]`, for Sentinels with a password `...?sentinel=[user]:password`',
      fallback: 'its own store',
    }),
    // store/keys/master-key.ts.
    MASTER_KEY: z.string().optional().meta({
      readBy: ALL,
      description:
        'The key from which the keys of secrets, signed rates and cursors are derived. It is the same for every process on one store, and kept outside it. Without it secrets cannot be verified any more.',
      accepted: '32 bytes in base64, as from `openssl rand -base64 32`',
      fallback: '`DATA_DIR/master.key`, created once',
    }),
    DATA_DIR: path.default(resolve('data')).meta({
      readBy: ALL,
      description:
        'Directory of the master key, of the demo credentials, and of a store that the engine starts itself. Created with mode 0700 if it does not exist.',
      accepted: 'a directory that can be written',
      fallback: '`./data`',
    }),
    DEMO: oneOf(['yes', 'no'])
      .optional()
      .meta({
        readBy: ['npm start'],
        description:
          'Whether `npm start` creates the clients `demo` (with money) and `house` (with an operator key), if there are no others.',
        fallback: 'yes on a store that it starts itself, no with `REDIS_URL`',
      }),
    STORE_FSYNC: oneOf(['always', 'everysec']).default('always').meta({
      readBy: ALL,
      description:
        'The required `appendfsync` of the store. With `everysec` a crash of the machine may lose the last second of acknowledged commands.',
    }),
    STORE_REPLICAS: wholeNumber(0, 5, 'replicas').default(0).meta({
      readBy: ALL,
      description:
        'The number of replicas of each server at `REDIS_URL` that must have a command before it is acknowledged. If fewer have it within a second, the answer is STORE_UNAVAILABLE and the outcome unknown. The same for every process on one store; see [redis.md](redis.md).',
    }),
    // store/audit/audit-sink.ts.
    AUDIT_LOG: z.string().optional().meta({
      readBy: ALL,
      description:
        'A second destination of each entry of the audit log, one JSON line each, so that an entry removed from the store is not lost: a file, or a syslog server (RFC 5424, UDP). A change is rejected while the file cannot be written.',
      accepted: '`file:<path>` or `syslog://<host>[:port]`',
      fallback: 'the store only',
    }),
  },
  Network: {
    HOST: host.default('127.0.0.1').meta({
      readBy: DOORS,
      description:
        'The address of this machine for FIX and REST connections. If it is not a loopback address, only the ports with TLS listen on it; see `PLAINTEXT`.',
    }),
    PLAINTEXT: oneOf(['loopback', 'anywhere']).default('loopback').meta({
      readBy: DOORS,
      description:
        'The addresses of the ports without TLS: this machine only, or `HOST` too (`anywhere`: if a proxy or a tunnel encrypts).',
    }),
    FIX_PROXY_PROTOCOL: proxies.meta({
      readBy: ENGINE,
      description:
        "Proxies and load balancers in front of the FIX ports that begin each connection with a PROXY protocol header, version 2. They must send it, before TLS, and no other peer may. Every list, limit and log uses the address in it as the desk's; see [operations](operations.md#behind-a-proxy).",
      accepted: 'addresses or blocks of them, such as `10.0.0.5,10.1.0.0/16`, at most 100',
      fallback: 'none',
    }),
    FIX_PORT: port(5200).meta({ readBy: ENGINE, description: 'FIX port without TLS.' }),
    FIX_TLS_PORT: port(5201).meta({
      readBy: ENGINE,
      description: 'FIX port with TLS; open if a certificate is set.',
    }),
    FIX_TLS_CERTIFICATE: certificate.optional().meta({
      readBy: ENGINE,
      description:
        'Certificate of the FIX port, with its chain. Needs `FIX_TLS_KEY`, except with `generated`. Read again when the file changes. `generated` creates a self-signed one in `DATA_DIR`, for trials.',
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
        "Authorities of desks' certificates: only desks with a certificate that one of them has signed, and that names their CompID (its common name, or a DNS name), may connect to the FIX port with TLS.",
      accepted: 'path of a PEM file',
      fallback: 'every desk, with or without a certificate',
    }),
    FIX_SCHEDULE: oneOf(['always', 'weekly']).default('always').meta({
      readBy: DOORS,
      description:
        'Opening hours of the market. `weekly`: Sunday 17:00 to Friday 17:00, New York time; FIX sessions end at the close and begin again at sequence number 1.',
    }),
    TOKEN_ON_REQUEST: oneOf(['required', 'session']).default('required').meta({
      readBy: ENGINE,
      description:
        'Whether a FIX request that needs a token must carry it (`required`), or the token of the Logon(A) applies to all requests (`session`).',
    }),
    FIX_CONFORMANCE: z
      .string()
      .regex(new RegExp(`^${COMP_ID}:${COMP_ID}$`), { error: '<SenderCompID>:<TargetCompID>, such as TW44:ISLD' })
      .optional()
      .meta({
        readBy: ENGINE,
        description:
          'A session without credentials, for a conformance test. Rejected unless `HOST` is a loopback address.',
        accepted: '`<SenderCompID>:<TargetCompID>`, such as `TW44:ISLD`',
        fallback: 'none',
      }),
    REST_REQUEST_SECONDS: wholeNumber(1, 300, 'seconds').default(5).meta({
      readBy: SIDECAR,
      description:
        'Within so long a request must have arrived, headers and body; else 408, and the connection is closed.',
    }),
    REST_KEEP_ALIVE_SECONDS: wholeNumber(1, 600, 'seconds').default(65).meta({
      readBy: SIDECAR,
      description: 'How long a connection without a request is kept. A proxy in front should close its own sooner.',
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
        "HTTP proxies in front of the REST ports whose `X-Forwarded-For` is used: its right-most address that is not one of these proxies is the caller's in every list, limit and log. The header of any other peer is ignored.",
      accepted: 'addresses or blocks of them, such as `10.0.0.5,10.1.0.0/16`, at most 100',
      fallback: 'none',
    }),
    CORS_ORIGINS: origins.meta({
      readBy: SIDECAR,
      description:
        'Origins of pages that may call the REST API from a browser. Without them no answer has a CORS header. The live page and `/docs` stay for their own origin alone.',
      accepted: 'origins with commas between them, such as `https://app.example.com,http://localhost:3000`, at most 32',
      fallback: 'none',
    }),
    REST_PORT: port(8080).meta({ readBy: SIDECAR, description: 'Port of the REST API and of its pages, without TLS.' }),
    REST_TLS_PORT: port(8443).meta({
      readBy: SIDECAR,
      description: 'The same with TLS; open if a certificate is set.',
    }),
    REST_TLS_CERTIFICATE: certificate.optional().meta({
      readBy: SIDECAR,
      description:
        'Certificate of the sidecar, as `FIX_TLS_CERTIFICATE`. Needs `REST_TLS_KEY`, except with `generated`.',
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
      description:
        "Authorities of clients' certificates: only clients with a certificate that one of them has signed may connect to the sidecar with TLS.",
      accepted: 'path of a PEM file',
      fallback: 'every client, with or without a certificate',
    }),
    METRICS_HOST: host.optional().meta({
      readBy: DOORS,
      description: 'The address for `METRICS_PORT` and `REST_METRICS_PORT`, which have no TLS.',
      fallback: '`HOST` if that is a loopback address, else 127.0.0.1',
    }),
    METRICS_NAMES: hostNames.default([]).meta({
      readBy: DOORS,
      description:
        'Host names that requests to `METRICS_PORT` and `REST_METRICS_PORT` may use, besides IP addresses, localhost and `METRICS_HOST`; others are rejected with 403.',
      accepted: 'host names with commas between them',
      fallback: 'none',
    }),
    METRICS_PORT: port(9464).meta({
      readBy: ENGINE,
      description: 'Port of `/metrics`, `/health` and `/ready` of the engine; for the operator only.',
    }),
    REST_METRICS_PORT: port(9465).meta({ readBy: SIDECAR, description: 'The same for the sidecar.' }),
    LIVE: oneOf(['on', 'off']).default('on').meta({
      readBy: SIDECAR,
      description: 'Whether the sidecar serves the live page at `/live`, and the stream that it reads.',
    }),
  },
  Rates: {
    // rates/feed.ts.
    FEED: z.string().optional().meta({
      readBy: ENGINE,
      description:
        'The sources of rates, several providers separated by commas. `relay` receives them from the engine that runs the feed. `replay` and `simulated` are for trials: a program does not start with them where `FUNDING` or `PAYOUT` of the store is `manual`.',
      accepted:
        '`replay`, `replay:<file>@<UTC time>` (ticks, or a file of the day record), `simulated[:<seed>]`, `ws://...`, `wss://...`, `fix://...`, `fixs://...`, `relay`',
      fallback: 'none with `REDIS_URL`, where it must be set; else `replay`',
    }),
    RATE_MAX_AGE_MS: wholeNumber(100, 600_000, 'milliseconds').default(5_000).meta({
      readBy: ALL,
      description: "Maximum age of a provider's price: an older one is neither published nor traded.",
    }),
    RATE_MAX_JUMP_PERCENT: percent(2).meta({
      readBy: DOORS,
      description:
        "Maximum distance of a price's mid from the provider's last one; beyond it the next price must confirm it.",
    }),
    RATE_MAX_SPREAD_PERCENT: percent(2).meta({
      readBy: DOORS,
      description:
        'Maximum spread of a price; a wider one is rejected. A level behind the first may be five times as far from the mid.',
    }),
    LIQUIDITY: oneOf(['maximum', 'firm']).default('maximum').meta({
      readBy: ALL,
      description:
        "What a provider's price carries where it states one level or no size: `maximum`, the pair's maximum amount; `firm`, the stated size and no more; then a deal takes its amount of the levels until the next tick of their provider. That of the engine with the feed decides.",
    }),
    DISCLOSE_PROVIDERS: oneOf(['no', 'yes']).default('no').meta({
      readBy: ALL,
      description:
        'Whether a client sees the names of the providers of its conversions’ prices: REST `bookfx/{id}/price`, and PriceProviders(20022) of desks whose CompID has the option.',
    }),
  },
  ...CLIENT_SETTINGS,
  Risk: {
    BASE_CURRENCY: oneOf(CURRENCIES.map(({ code }) => code) as [string, ...string[]])
      .default('USD')
      .meta({
        readBy: DOORS,
        description:
          "The house's base currency: positions, profit and limits are valued in it. The same for every process on one store: figures in another one are not used; see [risk](risk.md).",
        accepted: 'a currency that is offered, such as `EUR`',
      }),
    COVER: oneOf(['off', 'suggest', 'auto']).default('off').meta({
      readBy: ENGINE,
      description:
        'Cover of the position with providers: `auto` sends orders, `suggest` writes them for `ratewire cover send`; see [risk](risk.md). The same for every engine on one store.',
    }),
    // rates/cover/cover-session.ts.
    COVER_SESSIONS: z.string().optional().meta({
      readBy: ENGINE,
      description:
        'The FIX sessions for cover orders, one for each provider, separated by commas; with CompIDs of their own, because their sequence numbers are kept and never reset.',
      accepted: '`fix://user:password@host:port?sender=US&target=THEM&provider=LP1`, `fixs://...`',
      fallback: 'none',
    }),
  },
  'Funding and payments': {
    FUNDING: mode.meta({
      readBy: DOORS,
      description:
        'The party that decides about fundings: a sandbox, automatically, or an operator (`ratewire fundings`).',
      fallback: MODE_FALLBACK,
    }),
    SANDBOX_FUNDING_SECONDS: wholeNumber(0, 86_400, 'seconds')
      .default(10)
      .meta({ readBy: DOORS, description: 'Time that the sandbox takes for a funding.' }),
    PAYMENTS: oneOf(['on', 'off'])
      .default('on')
      .meta({ readBy: SIDECAR, description: 'Whether this sidecar processes payments, or only answers requests.' }),
    COMPLIANCE: mode.meta({
      readBy: SIDECAR,
      description:
        "The party that decides about payments: words in the beneficiary's name, or an operator (`ratewire payments approve`).",
      fallback: MODE_FALLBACK,
    }),
    PAYOUT: mode.meta({
      readBy: SIDECAR,
      description: 'The party that records what the bank did: a sandbox, or an operator (`ratewire payments paid`).',
      fallback: MODE_FALLBACK,
    }),
    PAYMENT_IDENTITY_USD: wholeNumber(0, 1_000_000_000, 'US dollars')
      .default(THRESHOLDS_USD.identity)
      .meta({ readBy: SIDECAR, description: 'Value from which a payment must identify its remitter.' }),
    PAYMENT_PURPOSE_USD: wholeNumber(0, 1_000_000_000, 'US dollars')
      .default(THRESHOLDS_USD.purpose)
      .meta({ readBy: SIDECAR, description: 'Value from which a payment must state its purpose.' }),
    UK_MODULUS_TABLE: path.optional().meta({
      readBy: SIDECAR,
      description:
        "Weights of the UK's modulus check of sort code and account (Vocalink's `valacdos`). Without it only their form is checked.",
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
          'Name of the operator in the audit log, if several people share an account; `--as` sets it for one command.',
        fallback: 'the account of the operating system',
      }),
  },
  Log: {
    // store/sessions/message-log.ts.
    MESSAGE_LOG: oneOf(['on', 'off', 'prices']).default('on').meta({
      readBy: ENGINE,
      description:
        'Whether every FIX message in and out of each session, of desks and of providers, is written to `DATA_DIR/messages`; see [operations](operations.md#message-log). `prices`: market data too (W, X, and i of providers).',
    }),
    MESSAGE_LOG_MAX_MB: wholeNumber(1, 100_000_000, 'MiB').default(10_240).meta({
      readBy: ENGINE,
      description:
        "Most space of this engine's message log, MiB. From 80% on a warning is logged, and the alert RatewireMessageLogFilling fires.",
    }),
    MESSAGE_LOG_WHEN_FULL: oneOf(['stop', 'remove-oldest']).default('stop').meta({
      readBy: ENGINE,
      description:
        'What happens at that bound: messages are no longer logged, and counted, until its files are moved away; or the oldest file is removed, with a line in the log.',
    }),
    // store/record/recorder.ts.
    RECORD: path.optional().meta({
      readBy: ALL,
      description:
        'Directory of the day record: ticks as providers sent them, and what each engine and sidecar decides, in a folder for each; see [risk](risk.md#day-record). `ratewire record`, `replay` and `quality` read it.',
      accepted: 'path of a directory',
      fallback: 'nothing is recorded',
    }),
    RECORD_MAX_MB: wholeNumber(1, 100_000_000, 'MiB').default(102_400).meta({
      readBy: DOORS,
      description:
        'Most space of the day record of one process, MiB. From 80% on a warning is logged, and the alert RatewireRecordFilling fires.',
    }),
    RECORD_WHEN_FULL: oneOf(['stop', 'remove-oldest']).default('stop').meta({
      readBy: DOORS,
      description:
        'What happens at that bound: nothing more is recorded, and it is counted, until files are moved away; or the oldest file is removed, with a line in the log.',
    }),
    LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
      readBy: DOORS,
      description: 'Lowest level of the lines on stderr, as JSON. `npm start` uses `warn` if it is unset.',
    }),
  },
};
