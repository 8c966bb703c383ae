/** Pages without authentication: the OpenAPI document, and a page that shows it and tries calls. No other file can be read. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { nextRequestId } from '../../engine/service/core/ids.js';
import { FIXED_HEADERS } from '../http/responses.js';
import { DOCS_CSS, DOCS_HTML, DOCS_START } from './docs-page.js';

export interface Page {
  readonly path: string;
  /** Rejects when a file is not there. */
  answer(request: Request, response: ServerResponse): Promise<void>;
}

const TYPES = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
} as const;

const require = createRequire(import.meta.url);

/** Scripts, styles and calls from here alone; pictures are in the style sheet. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** Of a file that belongs to an installed release. */
const KEPT_FOR_AN_HOUR = 'public, max-age=3600';

export function pages(): readonly Page[] {
  return [
    page('/openapi.json', 'json', openApiText),
    page('/docs', 'html', () => DOCS_HTML, { 'content-security-policy': DOCS_POLICY }),
    page('/docs/page.css', 'css', () => DOCS_CSS),
    page('/docs/start.js', 'js', () => DOCS_START),
    page('/docs/swagger-ui.css', 'css', () => ofSwagger('swagger-ui.css'), { 'cache-control': KEPT_FOR_AN_HOUR }),
    page('/docs/swagger-ui-bundle.js', 'js', () => ofSwagger('swagger-ui-bundle.js'), {
      'cache-control': KEPT_FOR_AN_HOUR,
    }),
  ];
}

/** Loaded at the first request: a start need not wait for it. */
const openApiText = async () => JSON.stringify((await import('./document.js')).openApiDocument());

const PIECE_BYTES = 32 * 1024;

type Content = string | Buffer | Promise<string | Buffer>;

/** Its bytes are made at the first request, and kept. */
export function page(
  path: string,
  type: keyof typeof TYPES,
  make: () => Content,
  own: Readonly<Record<string, string>> = {},
): Page {
  const headers = headersWith({ ...own, 'content-type': `${TYPES[type]}; charset=utf-8` });
  let bytes: Promise<Buffer> | undefined;
  return {
    path,
    async answer(request, response) {
      bytes ??= Promise.resolve(make()).then((made) => (typeof made === 'string' ? Buffer.from(made) : made));
      const body = await bytes;
      response.writeHead(200, [...headers, 'x-request-id', nextRequestId(), 'content-length', String(body.length)]);
      if (request.method === 'HEAD') response.end();
      else await sendInPieces(response, body);
    },
  };
}

/** As fast as the peer reads: over TLS all unread bytes are a copy for each caller. */
async function sendInPieces(response: ServerResponse, body: Buffer): Promise<void> {
  const pieces = function* () {
    for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
  };
  // A client that disconnects in the middle is no fault.
  await pipeline(pieces, response).catch(() => undefined);
}

/** The fixed headers, with those that this page has otherwise. */
function headersWith(own: Readonly<Record<string, string>>): readonly string[] {
  const kept: string[] = [];
  for (let i = 0; i < FIXED_HEADERS.length; i += 2) {
    if (!(FIXED_HEADERS[i]! in own)) kept.push(FIXED_HEADERS[i]!, FIXED_HEADERS[i + 1]!);
  }
  return [...kept, ...Object.entries(own).flat()];
}

function ofSwagger(file: 'swagger-ui.css' | 'swagger-ui-bundle.js'): Promise<Buffer> {
  return readFile(join(dirname(require.resolve('swagger-ui-dist/package.json')), file));
}
