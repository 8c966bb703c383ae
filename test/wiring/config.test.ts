import { describe, expect, test } from 'vitest';
import { readConfig, requireNamed } from '../../engine/wiring/config.js';

/** The message of the refusal, or 'accepted'. */
function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return 'accepted';
  } catch (error) {
    expect((error as Error).name).toBe('SettingError');
    return (error as Error).message;
  }
}

describe('a faulty setting is one line that names it, its value and what is accepted', () => {
  test.each([
    ['FIX_PORT', '70000', /^FIX_PORT 70000 is not accepted: set a whole number from 0 to 65535/],
    ['REST_PORT', 'http', /^REST_PORT http is not accepted: set a whole number from 0 to 65535/],
    ['METRICS_PORT', '-1', /^METRICS_PORT -1 /],
    [
      'RATE_MAX_AGE_MS',
      '5s',
      /^RATE_MAX_AGE_MS 5s is not accepted: set a whole number from 100 to 600000 \(milliseconds\)/,
    ],
    ['RATE_LIMIT_READS', '1e3', /^RATE_LIMIT_READS 1e3 .*0: no limit/],
    ['RATE_MAX_JUMP_PERCENT', '0', /^RATE_MAX_JUMP_PERCENT 0 .*percentage above 0/],
    ['FUNDING', 'automatic', /^FUNDING automatic is not accepted: set one of sandbox, manual\.$/],
    ['PAYMENTS', 'yes', /^PAYMENTS yes is not accepted: set one of on, off\.$/],
    ['COMPLIANCE', 'none', /^COMPLIANCE none is not accepted: set one of sandbox, manual\.$/],
    ['PAYOUT', 'bank', /^PAYOUT bank is not accepted: set one of sandbox, manual\.$/],
    ['SANDBOX_FUNDING_SECONDS', '10s', /^SANDBOX_FUNDING_SECONDS 10s .*0 to 86400 \(seconds\)/],
    ['FIX_SCHEDULE', 'sundays', /^FIX_SCHEDULE sundays is not accepted: set one of always, weekly\.$/],
    ['LIVE', 'yes', /^LIVE yes is not accepted: set one of on, off\.$/],
    ['TOKEN_ON_REQUEST', 'maybe', /^TOKEN_ON_REQUEST maybe .*required, session/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL loud .*debug, info, warn, error, silent/],
    ['STORE_FSYNC', 'no', /^STORE_FSYNC no .*always, everysec/],
    ['STORE_REPLICAS', '6', /^STORE_REPLICAS 6 .*0 to 5 \(replicas\)/],
    ['PLAINTEXT', 'everywhere', /^PLAINTEXT everywhere is not accepted: set one of loopback, anywhere\.$/],
    ['METRICS_HOST', 'no host', /^METRICS_HOST no host .*an address or a host name/],
    ['REST_TLS_PORT', '65536', /^REST_TLS_PORT 65536 .*0 to 65535/],
    ['RATEWIRE_OPERATOR', 'anna (root)', /^RATEWIRE_OPERATOR anna \(root\) .*1 to 64 letters/],
    ['HOST', 'no host', /^HOST no host .*an address or a host name/],
    ['FIX_CONFORMANCE', 'TW44', /^FIX_CONFORMANCE TW44 .*<SenderCompID>:<TargetCompID>/],
  ])('%s=%s', (name, value, line) => {
    const fault = faultsOf({ [name]: value });
    expect(fault).toMatch(line);
    expect(fault).not.toContain('\n');
  });
});

test('a value cannot forge a second line', () => {
  expect(faultsOf({ FIX_PORT: '1\nready fix=evil' })).not.toContain('\n');
});

test('two faulty settings are two lines', () => {
  expect(faultsOf({ FIX_PORT: 'x', REST_PORT: 'y' }).split('\n')).toHaveLength(2);
});

test.each(['FIX', 'REST'])('certificate and key of %s go together, and are files that can be read', (door) => {
  const [certificate, key, clientCa] = ['CERTIFICATE', 'KEY', 'CLIENT_CA'].map((part) => `${door}_TLS_${part}`);
  const faults = (env: Record<string, string>) => faultsOf(env).split(':')[0];
  expect(faults({ [certificate]: 'a.pem' })).toBe(`${key} is missing`);
  expect(faults({ [key]: 'a.pem' })).toBe(`${certificate} is missing`);
  expect(faults({ [certificate]: 'generated' })).toBe('accepted');
  expect(faults({ [certificate]: 'generated', [key]: 'a.pem' })).toMatch(
    `${key} is set beside ${certificate} generated`,
  );
  expect(faults({ [clientCa]: process.execPath })).toBe(`${certificate} is missing`);
  expect(faults({ [certificate]: 'generated', [clientCa]: '/nowhere.pem' })).toBe(
    `${clientCa} /nowhere.pem cannot be read`,
  );
  expect(faults({ [certificate]: '/nowhere.pem', [key]: '/nowhere.key' })).toBe(
    `${certificate} /nowhere.pem cannot be read`,
  );
});

describe('with REDIS_URL, who decides about money must be set', () => {
  const REDIS_URL = 'redis://127.0.0.1:6379';
  const ALL = { FUNDING: 'manual', COMPLIANCE: 'sandbox', PAYOUT: 'manual' };
  test.each([
    ['sidecar', { REDIS_URL }, 'FUNDING, COMPLIANCE, PAYOUT'],
    ['sidecar', { REDIS_URL, FUNDING: 'manual', PAYOUT: 'manual' }, 'COMPLIANCE'],
    ['sidecar', { REDIS_URL, ...ALL }, undefined],
    ['sidecar', {}, undefined],
    ['engine', { REDIS_URL, FEED: 'replay' }, 'FUNDING'],
    ['engine', { REDIS_URL, FUNDING: 'sandbox', FEED: 'replay' }, undefined],
    ['engine', {}, undefined],
  ] as const)('%s %j', (program, env, missing) => {
    const required = () => requireNamed(readConfig(env), program);
    if (missing === undefined) return expect(required).not.toThrow();
    expect(required).toThrow(
      expect.objectContaining({
        name: 'SettingError',
        message: expect.stringMatching(`^${missing} must be set with REDIS_URL, each to sandbox .* or manual .*$`),
      }),
    );
  });
});

test.each([
  ['engine', { FUNDING: 'sandbox' }, /^FEED must be set with REDIS_URL: to your providers /],
  ['engine', {}, /^FUNDING must be set .*\nFEED must be set /],
  ['npm start', { FUNDING: 'manual', COMPLIANCE: 'manual', PAYOUT: 'manual' }, /^FEED must be set with REDIS_URL/],
  ['npm start', { FEED: 'relay' }, /^FUNDING, COMPLIANCE, PAYOUT must be set/],
] as const)('with REDIS_URL, the feed must be set: %s %j', (program, env, lines) => {
  expect(() => requireNamed(readConfig({ REDIS_URL: 'redis://127.0.0.1:6379', ...env }), program)).toThrow(lines);
});

test('the session without credentials stays on loopback', () => {
  expect(faultsOf({ FIX_CONFORMANCE: 'TW44:ISLD', HOST: '0.0.0.0' })).toMatch(/^FIX_CONFORMANCE .*HOST 127\.0\.0\.1/);
  expect(faultsOf({ FIX_CONFORMANCE: 'TW44:ISLD' })).toBe('accepted');
});

test('an empty value is an absent one, and every setting has a default', () => {
  const { DATA_DIR, ...config } = readConfig({ FIX_PORT: '', FEED: '  ' });
  expect(DATA_DIR).toMatch(/data$/);
  expect(config).toMatchObject({
    HOST: '127.0.0.1',
    FIX_PORT: 5200,
    FIX_TLS_PORT: 5201,
    PLAINTEXT: 'loopback',
    REST_PORT: 8080,
    REST_TLS_PORT: 8443,
    METRICS_PORT: 9464,
    REST_METRICS_PORT: 9465,
    RATE_MAX_AGE_MS: 5000,
    RATE_LIMIT_AUTHENTICATION: 60,
    RATE_LIMIT_READS: 600,
    RATE_LIMIT_WRITES: 300,
    SANDBOX_FUNDING_SECONDS: 10,
    PAYMENTS: 'on',
    FIX_SCHEDULE: 'always',
    LIVE: 'on',
    TOKEN_ON_REQUEST: 'required',
  });
});
