/** Slots of a cluster: which of 16,384 a key is in, as every node computes it. */

/** The text between the first braces, if any; else the whole key. */
function tagOf(key: string): string {
  const from = key.indexOf('{');
  const to = key.indexOf('}', from + 1);
  return from < 0 || to <= from + 1 ? key : key.slice(from + 1, to);
}

/** CRC16 (XMODEM) of the tag. All keys are ASCII: one byte for each character. */
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
 * A key of the same slot that is never written. A step that names it is rejected as a whole, before it begins, while its slot migrates:
 * otherwise it could find half-way that a key has moved already, and its earlier writes would stay.
 */
export const migrationGuardKey = (key: string): string => `{${tagOf(key)}}:never`;
