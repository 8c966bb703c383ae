/** The body of a request: its bytes first, and its fields once the caller is authenticated and permitted. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../../engine/domain/refusal.js';
import { type FormTypes, formBody } from './form-body.js';
import { jsonBody } from './json-body.js';

const MAX_BODY_BYTES = 65_536;
/** A body may come a byte at a time, and each piece costs two hundred: so many are kept apart. */
const MAX_PIECES = 256;
const ACCEPTED_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/i;

/** Fields by the names of the interface: of any type, and any of them may be missing. */
export type Body = Readonly<Record<string, unknown>>;

type Bytes = Buffer | Refusal | undefined;

/**
 * All bytes of the body; undefined without one, where any content-type is fine. Refuses with BODY_TOO_LARGE and
 * UNSUPPORTED_CONTENT_TYPE. A body that comes too slowly ends with its connection, by the server's limit on time.
 */
export function bytesOf(request: IncomingMessage): Bytes | Promise<Bytes> {
  const { headers } = request;
  // In chunks, only the end tells how long the body is, and whether there is one.
  if (headers['transfer-encoding'] !== undefined) return read(request);
  const length = Number(headers['content-length'] ?? 0);
  // What is sent above the limit is let run out by the server.
  return length === 0 ? undefined : (faultOf(length, headers) ?? read(request, length));
}

/** The fields in the bytes; wrapped, since their names are the sender's. Refuses with VALIDATION_FAILED. */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  types: FormTypes,
): { readonly fields: Body } | Refusal | Promise<{ readonly fields: Body } | Refusal> {
  if (!isUtf8(bytes)) return refuse('VALIDATION_FAILED', 'The body is not valid UTF-8');
  const type = headers['content-type'] ?? '';
  return /^m/i.test(type) ? formBody(bytes, type, types) : jsonBody(bytes.toString());
}

function faultOf(length: number, headers: IncomingHttpHeaders): Refusal | undefined {
  if (length > MAX_BODY_BYTES) return refuse('BODY_TOO_LARGE');
  if (!ACCEPTED_TYPE.test(headers['content-type'] ?? '')) return refuse('UNSUPPORTED_CONTENT_TYPE');
  if (headers['content-encoding'] === undefined) return undefined;
  return refuse('UNSUPPORTED_CONTENT_TYPE', 'Send the body as it is, without content-encoding');
}

/**
 * `stated` is the length by the headers, if they tell it: then nothing needs to be awaited after the last byte. Only what
 * comes first counts, and a listener for once costs more than one that stays.
 */
function read(request: IncomingMessage, stated?: number): Promise<Bytes> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      const fault = stated === undefined ? faultOf(length, request.headers) : undefined;
      if (fault) {
        chunks.length = 0;
        resolve(fault);
        return;
      }
      chunks.push(chunk);
      if (chunks.length === MAX_PIECES) chunks = [Buffer.concat(chunks)];
      if (length === stated) resolve(whole(chunks));
    });
    if (stated === undefined) request.on('end', () => resolve(whole(chunks)));
    // The peer has disconnected: no answer can be sent.
    request.on('close', () => resolve(refuse('VALIDATION_FAILED', 'The body broke off')));
  });
}

function whole(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
}
