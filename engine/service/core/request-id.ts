import { randomBytes } from 'node:crypto';

// Random once per process, then counted: unique over all sidecars and cheap enough for every request.
const lifetime = randomBytes(9).toString('base64url');
let served = 0;

export function nextRequestId(): string {
  return `${lifetime}-${(++served).toString(36)}`;
}
