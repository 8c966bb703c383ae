/** Prometheus accepts the rules, each alert fires when it should, and each has a runbook for the operator. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, read } from '../tidy/tree.js';
import { QUERIES, RULES } from './shown.js';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) process.stdout.write('not run: what promtool checks, because there is no promtool on this machine\n');

const alerts = RULES.filter(({ kind }) => kind === 'alert');

describe('each alert', () => {
  test('there are some', () => {
    expect(alerts.length).toBeGreaterThan(20);
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  });

  test.each(alerts.map((alert) => [alert.name, alert.text] as const))(
    '%s says how bad it is, what it is, and what to do',
    (name, text) => {
      expect(text).toMatch(/^ {10}severity: (critical|warning|info)$/m);
      expect(text).toMatch(/^ {10}summary: ".{10,120}"$/m);
      expect(text).toMatch(/^ {10}description: >-\n( {12}.{1,118}\n)+/m);
      expect(text).toContain(`runbook: docs/operations.md#${name.toLowerCase()}\n`);
      expect(read('docs/operations.md')).toMatch(new RegExp(`^### ${name}$`, 'm'));
      expect(read('monitoring/alerts.test.yml')).toContain(`- name: ${name}\n`);
    },
  );

  test('no page names an alert that does not exist', () => {
    const told = [...read('docs/operations.md').matchAll(/^### (Ratewire\w+)$/gm)].map(([, name]) => name);
    expect(told.sort()).toEqual(alerts.map(({ name }) => name).sort());
  });
});

describe.skipIf(!hasPromtool)('promtool', () => {
  test.each([
    ['takes the configuration', ['check', 'config', 'monitoring/prometheus.yml']],
    ['takes the rules', ['check', 'rules', 'monitoring/alerts.yml']],
    ['sees each alert fire when it should, and none otherwise', ['test', 'rules', 'monitoring/alerts.test.yml']],
    ['sees quiet weekends', ['test', 'rules', 'monitoring/weekend.test.yml']],
  ])('%s', (_, args) => {
    expect(promtool(args)).toBe('');
  });

  test('takes every expression of the dashboard', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ratewire-dashboard-'));
    const rules = QUERIES.map(({ expression }, i) => ({ record: `dashboard:${i}`, expr: expression }));
    const file = path.join(folder, 'rules.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const said = promtool(['check', 'rules', file]);
    rmSync(folder, { recursive: true });
    expect(said).toBe('');
  });

  /** What it says when it says no. */
  function promtool(args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  }
});
