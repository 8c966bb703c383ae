/** The files of the live page: markup and style as they stand in the sources, scripts as the compiler made them. Nothing else can be read. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, page } from '../openapi/pages.js';

/** Scripts, styles, pictures and calls from here alone. */
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
  'clock',
  'connection',
  'details',
  'dom',
  'engines',
  'format',
  'keys',
  'latency',
  'login',
  'pair-state',
  'table',
  'theme',
  'tile',
] as const;
const STYLES = ['base', 'board', 'panels'] as const;

/** Without `no-store`, yet asked for again each time: a page is of one release with its scripts. */
const ASKED_AGAIN = { 'cache-control': 'no-cache' };

export function livePages(): readonly Page[] {
  const root = rootFolder(dirname(fileURLToPath(import.meta.url)));
  const written = join(root, 'rest', 'live', 'page');
  const compiled = join(root, 'dist', 'rest', 'live', 'page');
  return [
    page('/live', 'html', () => readFile(join(written, 'index.html')), { 'content-security-policy': POLICY }),
    page('/live/icon.svg', 'svg', () => readFile(join(written, 'icon.svg')), ASKED_AGAIN),
    ...STYLES.map((name) =>
      page(`/live/${name}.css`, 'css', () => readFile(join(written, `${name}.css`)), ASKED_AGAIN),
    ),
    ...SCRIPTS.map((name) => page(`/live/${name}.js`, 'js', () => readFile(join(compiled, `${name}.js`)), ASKED_AGAIN)),
  ];
}

/** The compiler copies no markup: `dist` reads that of the sources, beside it. */
function rootFolder(from: string): string {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'rest', 'live', 'page', 'index.html'))) return at;
    if (dirname(at) === at) throw new Error('rest/live/page is missing: install the package whole');
  }
}
