/** The files of the live page: markup and style from the sources, scripts from the compiler, charts by uPlot. No other file can be read. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface LiveFile {
  readonly path: string;
  readonly type: 'css' | 'html' | 'js' | 'svg';
  /** Beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Rejects when the file is not there. */
  read(): Promise<Buffer>;
}

/** Scripts, styles, pictures and calls of the page's own origin alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const SCRIPTS = [
  'main',
  'announce',
  'blotter',
  'board',
  'chart',
  'connection',
  'details',
  'dom',
  'engines',
  'format',
  'keys',
  'latency',
  'login',
  'pair-state',
  'risk',
  'scale',
  'table',
  'theme',
  'tile',
] as const;
const STYLES = ['base', 'board', 'panels'] as const;

/** Not `no-store`, yet validated each time: a page and its scripts are of one release. */
const ASKED_AGAIN = { 'cache-control': 'no-cache' };

export function liveFiles(): readonly LiveFile[] {
  const written = join(rootFolder(dirname(fileURLToPath(import.meta.url))), 'page');
  const charts = dirname(createRequire(import.meta.url).resolve('uplot'));
  const compiled = join(written, '..', 'dist', 'page');
  const file = (name: string, type: LiveFile['type'], folder = written): LiveFile => ({
    path: `/live/${name}.${type}`,
    type,
    headers: ASKED_AGAIN,
    read: () => readFile(join(folder, `${name}.${type}`)),
  });
  return [
    { ...file('index', 'html'), path: '/live', headers: { 'content-security-policy': POLICY } },
    file('icon', 'svg'),
    { ...file('uplot', 'js'), read: () => readFile(join(charts, 'uPlot.esm.js')) },
    { ...file('uplot', 'css'), read: () => readFile(join(charts, 'uPlot.min.css')) },
    ...STYLES.map((name) => file(name, 'css')),
    ...SCRIPTS.map((name) => file(name, 'js', compiled)),
  ];
}

/** The folder of this package: the compiler copies no markup, so that `dist` reads that of the sources. */
function rootFolder(from: string): string {
  const found = [from, dirname(from)].find((folder) => existsSync(join(folder, 'page', 'index.html')));
  if (found === undefined) throw new Error('rest/live/page is missing: install the package whole');
  return found;
}
