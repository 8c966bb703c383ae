/** Slots of a cluster: which of 16,384 a key lives in, as every node computes it. */

/** What stands between the first braces decides, if anything does; else the whole key. */
function tagOf(key: string): string {
  const from = key.indexOf('{');
  const to = key.indexOf('}', from + 1);
  return from < 0 || to <= from + 1 ? key : key.slice(from + 1, to);
}

/** CRC16 (XMODEM) of the tag. Our keys are ASCII: one byte for each character. */
export function slotOf(key: string): number {
  const tag = tagOf(key);
  let crc = 0;
  for (let i = 0; i < tag.length; i++) {
    crc ^= tag.charCodeAt(i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0x3fff;
}

/**
 * A key of the same slot that nothing ever writes. A step that names it is refused as a whole, before it begins, while its slot moves from
 * one server to another: else it could find, half-way, that a key has moved already, and nothing would be taken back.
 */
export const guardOf = (key: string): string => `{${tagOf(key)}}:never`;
