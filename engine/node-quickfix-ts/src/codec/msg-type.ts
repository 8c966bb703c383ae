import { latin1 } from './ascii.js';

/**
 * MsgType(35) values are one or two characters; each is made a string once, so that comparing and looking up never
 * reads characters again. Longer ones (user-defined, or nonsense) are made anew: the cache stays bounded.
 */
const interned: string[] = new Array<string>(128 * 128).fill('');

export function internMsgType(buffer: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length < 1 || length > 2) return latin1(buffer, start, end);
  const first = buffer[start];
  const second = length === 2 ? buffer[start + 1] : 0;
  if (first > 127 || second > 127) return latin1(buffer, start, end);
  const slot = (first << 7) | second;
  const known = interned[slot];
  if (known !== '') return known;
  interned[slot] = latin1(buffer, start, end);
  return interned[slot];
}
