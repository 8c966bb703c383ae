/**
 * The settings of every program here, and the only place that reads the environment. A faulty value ends the start with one
 * line that names the setting, the value and what is accepted.
 */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { THRESHOLDS_USD } from './domain/corridors/when.js';
import { isLoopback } from './fix/settings.js';

/** Faults of the environment; each line is complete in itself. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

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
const path = z.string().transform((text) => resolve(text));

const COMP_ID = '[A-Za-z0-9._-]{1,32}';

const SETTINGS = z.object({
  // These three are checked where they are understood: store/redis-url.ts, store/master-key.ts, rates/feed.ts.
  REDIS_URL: z.string().optional(),
  MASTER_KEY: z.string().optional(),
  FEED: z.string().default('replay'),
  DATA_DIR: path.default(resolve('data')),
  STORE_FSYNC: oneOf(['always', 'everysec']).default('always'),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, { error: 'an address or a host name' })
    .default('127.0.0.1'),
  FIX_PORT: port(5200),
  FIX_TLS_PORT: port(5201),
  FIX_TLS_CERTIFICATE: path.optional(),
  FIX_TLS_KEY: path.optional(),
  REST_PORT: port(8080),
  METRICS_PORT: port(9464),
  REST_METRICS_PORT: port(9465),
  RATE_MAX_AGE_MS: wholeNumber(100, 600_000, 'milliseconds').default(5_000),
  RATE_MAX_JUMP_PERCENT: percent(2),
  RATE_MAX_SPREAD_PERCENT: percent(2),
  RATE_LIMIT_AUTHENTICATION: perMinute(60),
  RATE_LIMIT_READS: perMinute(600),
  RATE_LIMIT_WRITES: perMinute(300),
  FUNDING: oneOf(['sandbox', 'manual']).default('sandbox'),
  SANDBOX_FUNDING_SECONDS: wholeNumber(0, 86_400, 'seconds').default(10),
  UK_MODULUS_TABLE: path.optional(),
  // US dollars' worth from which a payment says who its remitter is, and what it is for.
  PAYMENT_IDENTITY_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(THRESHOLDS_USD.identity),
  PAYMENT_PURPOSE_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(THRESHOLDS_USD.purpose),
  PAYMENTS: oneOf(['on', 'off']).default('on'),
  COMPLIANCE: oneOf(['sandbox', 'manual']).default('sandbox'),
  PAYOUT: oneOf(['sandbox', 'manual']).default('sandbox'),
  FIX_SCHEDULE: oneOf(['always', 'weekly']).default('always'),
  FIX_CONFORMANCE: z
    .string()
    .regex(new RegExp(`^${COMP_ID}:${COMP_ID}$`), { error: '<SenderCompID>:<TargetCompID>, such as TW44:ISLD' })
    .optional(),
  TOKEN_ON_REQUEST: oneOf(['required', 'session']).default('required'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Config = z.infer<typeof SETTINGS>;

/** Reads all settings; an empty value counts as absent. Throws SettingError with one line per faulty setting. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, string> = {};
  for (const name of Object.keys(SETTINGS.shape)) {
    const value = env[name]?.trim();
    if (value) given[name] = value;
  }
  const read = SETTINGS.safeParse(given);
  if (!read.success) throw new SettingError(faults(read.error, given).join('\n'));
  const wrong = together(read.data);
  if (wrong) throw new SettingError(wrong);
  return read.data;
}

function faults(error: z.ZodError, given: Record<string, string>): string[] {
  const lines = new Map<string, string>();
  for (const issue of error.issues) {
    const name = String(issue.path[0]);
    lines.set(name, `${name} ${shown(given[name] ?? '')} is not accepted: set ${issue.message}.`);
  }
  return [...lines.values()];
}

/** Settings that only make sense together. */
function together(config: Config): string | undefined {
  if ((config.FIX_TLS_CERTIFICATE === undefined) !== (config.FIX_TLS_KEY === undefined)) {
    const missing = config.FIX_TLS_KEY === undefined ? 'FIX_TLS_KEY' : 'FIX_TLS_CERTIFICATE';
    return `${missing} is missing: set FIX_TLS_CERTIFICATE and FIX_TLS_KEY (PEM files) together, or neither.`;
  }
  for (const name of ['FIX_TLS_CERTIFICATE', 'FIX_TLS_KEY'] as const) {
    const file = config[name];
    if (file !== undefined && !isReadable(file))
      return `${name} ${shown(file)} cannot be read: set the path of a PEM file.`;
  }
  if (config.FIX_CONFORMANCE !== undefined && !isLoopback(config.HOST)) {
    return `FIX_CONFORMANCE ${config.FIX_CONFORMANCE} is not accepted with HOST ${config.HOST}: its session needs no credentials, so set HOST 127.0.0.1 or unset it.`;
  }
  return undefined;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The value as a message may show it: no line break, not endless. */
export function shown(value: string): string {
  const open = value.replace(/[^\x20-\x7e]/g, '?');
  return open.length > 80 ? `${open.slice(0, 80)}...` : open;
}
