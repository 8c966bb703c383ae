/**
 * Fields of type data may hold SOH: their length is in the length field directly before them.
 * RawDataLength(95) and RawData(96) are the ones a desk meets; the others are the Encoded... fields of FIX 4.4.
 */
const LENGTH_AND_DATA: readonly (readonly [length: number, data: number])[] = [
  [90, 91],
  [93, 89],
  [95, 96],
  [212, 213],
  [348, 349],
  [350, 351],
  [352, 353],
  [354, 355],
  [356, 357],
  [358, 359],
  [360, 361],
  [362, 363],
  [364, 365],
  [445, 446],
  [618, 619],
  [621, 622],
];

const HIGHEST = 622;
const dataTags = new Uint16Array(HIGHEST + 1);
const isData = new Uint8Array(HIGHEST + 1);
for (const [length, data] of LENGTH_AND_DATA) {
  dataTags[length] = data;
  isData[data] = 1;
}

/** The data field whose length field is `tag`, or 0. */
export function dataTagAfter(tag: number): number {
  return tag >= 0 && tag <= HIGHEST ? dataTags[tag] : 0;
}

export function isDataTag(tag: number): boolean {
  return tag >= 0 && tag <= HIGHEST && isData[tag] === 1;
}
