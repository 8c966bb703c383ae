import * as zlib from 'node:zlib';

/** Of the system's zlib, from Node 20.15 and 22.2 on. */
const native = (zlib as { crc32?: (bytes: Uint8Array) => number }).crc32;

const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of IEEE 802.3, as in gzip, of the bytes from `start` on: 0 to 2^32-1. */
export function crc32(bytes: Uint8Array, start = 0): number {
  return native?.(start === 0 ? bytes : bytes.subarray(start)) ?? tableCrc32(bytes, start);
}

/** The same by a table, for a Node without it. */
export function tableCrc32(bytes: Uint8Array, start: number): number {
  let sum = -1;
  for (let i = start; i < bytes.length; i++) sum = TABLE[(sum ^ bytes[i]!) & 0xff]! ^ (sum >>> 8);
  return (sum ^ -1) >>> 0;
}
