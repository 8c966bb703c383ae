import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../engine/domain/refusal.js';

const MAX_BODY_BYTES = 65_536;
const ACCEPTED_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/i;

type Fault = Refusal | undefined;

/**
 * What is wrong with the body before anything is made of it: its size, or a type that we do not take. Without a body any
 * content-type is fine. No operation here reads a body; what is sent all the same is let run out by the server, within its
 * time limit.
 */
export function bodyFault(request: IncomingMessage): Fault | Promise<Fault> {
  const { headers } = request;
  // In chunks, only the end tells how long the body is, and whether there is one.
  if (headers['transfer-encoding'] !== undefined) return chunksFault(request);
  return lengthFault(Number(headers['content-length'] ?? 0), headers['content-type']);
}

function lengthFault(length: number, type = ''): Fault {
  if (length > MAX_BODY_BYTES) return refuse('BODY_TOO_LARGE');
  return length === 0 || ACCEPTED_TYPE.test(type) ? undefined : refuse('UNSUPPORTED_CONTENT_TYPE');
}

function chunksFault(request: IncomingMessage): Promise<Fault> {
  return new Promise((resolve) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      const fault = lengthFault(length, request.headers['content-type']);
      if (fault) resolve(fault);
    });
    request.once('end', () => resolve(undefined));
    // Nobody is there any more to read this.
    request.once('close', () => resolve(refuse('VALIDATION_FAILED', 'The body broke off')));
  });
}
