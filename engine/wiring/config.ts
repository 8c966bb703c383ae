/**
 * The only place that reads the environment. A faulty value ends the start with one line that names the setting, the value and what is
 * accepted.
 */
import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../service/core/caller.js';
import { GENERATED } from './setting-forms.js';
import { SETTINGS } from './settings.js';

/** Faults of the environment; each line is complete in itself. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const SCHEMA = z.object({
  ...SETTINGS['Store and keys'],
  ...SETTINGS.Network,
  ...SETTINGS.Rates,
  ...SETTINGS.Limits,
  ...SETTINGS.Events,
  ...SETTINGS.Holds,
  ...SETTINGS.Risk,
  ...SETTINGS['Funding and payments'],
  ...SETTINGS['Command line'],
  ...SETTINGS.Log,
});

export type Config = z.infer<typeof SCHEMA>;

/** Reads all settings; an empty value counts as absent. Throws SettingError with one line per faulty setting. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, string> = {};
  for (const name of Object.keys(SCHEMA.shape)) {
    const value = env[name]?.trim();
    if (value) given[name] = value;
  }
  const read = SCHEMA.safeParse(given);
  if (!read.success) throw new SettingError(faults(read.error, given).join('\n'));
  const wrong = together(read.data);
  if (wrong) throw new SettingError(wrong);
  return read.data;
}

const MODES = ['FUNDING', 'COMPLIANCE', 'PAYOUT'] as const;
/** Of a store that ratewire starts itself. */
export const OWN_STORE_FEED = 'replay';

/** Throws SettingError where a program on a store of the operator's is not set how money is decided, and an engine where its prices are from. */
export function requireNamed(config: Config, program: 'engine' | 'sidecar' | 'npm start'): void {
  if (config.REDIS_URL === undefined) return;
  const used = program === 'engine' ? (['FUNDING'] as const) : MODES;
  const missing = used.filter((name) => config[name] === undefined);
  const lines: string[] = [];
  if (missing.length > 0)
    lines.push(
      `${missing.join(', ')} must be set with REDIS_URL, each to sandbox (a sandbox decides, and no bank is asked) or manual (an operator decides), the same for every engine and sidecar on that store.`,
    );
  if (program !== 'sidecar' && config.FEED === undefined)
    lines.push(
      'FEED must be set with REDIS_URL: to your providers (fix://..., ws://...), to relay (the prices of the engine with the feed), or for a trial to replay or simulated.',
    );
  if (lines.length > 0) throw new SettingError(lines.join('\n'));
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
  for (const door of ['FIX', 'REST'] as const) {
    const wrong = tlsFault(config, door);
    if (wrong) return wrong;
  }
  if (config.FIX_CONFORMANCE !== undefined && !isLoopback(config.HOST)) {
    return `FIX_CONFORMANCE ${config.FIX_CONFORMANCE} is not accepted with HOST ${config.HOST}: its session needs no credentials, so set HOST 127.0.0.1 or unset it.`;
  }
  return undefined;
}

function tlsFault(config: Config, door: 'FIX' | 'REST'): string | undefined {
  const [certificate, key, clientCa] = (['CERTIFICATE', 'KEY', 'CLIENT_CA'] as const).map(
    (part) => `${door}_TLS_${part}` as const,
  );
  if (config[certificate] === GENERATED) {
    if (config[key] !== undefined)
      return `${key} is set beside ${certificate} ${GENERATED}, which has its own: unset one.`;
  } else if ((config[certificate] === undefined) !== (config[key] === undefined)) {
    const missing = config[key] === undefined ? key : certificate;
    return `${missing} is missing: set ${certificate} and ${key} (PEM files) together, or neither.`;
  }
  if (config[clientCa] !== undefined && config[certificate] === undefined)
    return `${certificate} is missing: ${clientCa} only works with TLS, so set a certificate too.`;
  for (const name of [certificate, key, clientCa]) {
    const file = config[name];
    if (file !== undefined && file !== GENERATED && !isReadable(file))
      return `${name} ${shown(file)} cannot be read: set the path of a PEM file.`;
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

/** What openStore needs of the settings. */
export function storeOptions(config: Config) {
  return {
    redisUrl: config.REDIS_URL,
    masterKey: config.MASTER_KEY,
    dataDir: config.DATA_DIR,
    fsync: config.STORE_FSYNC,
    replicas: config.STORE_REPLICAS,
    auditLog: config.AUDIT_LOG,
  };
}
