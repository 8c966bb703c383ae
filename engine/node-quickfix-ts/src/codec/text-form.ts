/** How the values of a session become bytes: the encoding of text, and which fields hold data instead of text. */

/**
 * Encoding of text fields. Sent: a character that the encoding lacks is refused. Received: `utf8` is decoded; in the other two each byte is
 * read as one character (Latin-1), so that a byte above 127 of a careless peer reaches the application as it came.
 */
export type FieldEncoding = 'ascii' | 'latin1' | 'utf8';

/**
 * Fields of type data may hold SOH: their length, in bytes, is in the length field directly before them. In every encoding a data field is
 * text of one character a byte (`Buffer.from(bytes).toString('latin1')`). That holds for EncodedText(355) and its like too: their bytes are
 * in MessageEncoding(347), which this engine does not interpret.
 */
export class DataPairs {
  /** By tag of a length field: the tag of the data field behind it; 0: it is no length field. Shorter than the highest tag. */
  readonly dataTags: Int32Array;
  readonly #isData: Uint8Array;
  readonly #forms = new Map<FieldEncoding, TextForm>();

  /** Tags 1 to 999999: a length field and its data field each. */
  constructor(readonly pairs: readonly (readonly [length: number, data: number])[]) {
    this.dataTags = new Int32Array(1 + Math.max(0, ...pairs.map(([length]) => length)));
    this.#isData = new Uint8Array(1 + Math.max(0, ...pairs.map(([, data]) => data)));
    for (const [length, data] of pairs) {
      this.dataTags[length] = data;
      this.#isData[data] = 1;
    }
  }

  isData(tag: number): boolean {
    return tag > 0 && tag < this.#isData.length && this.#isData[tag] === 1;
  }

  /** The data field whose length field is `tag`, or 0. */
  dataTagAfter(tag: number): number {
    return tag > 0 && tag < this.dataTags.length ? this.dataTags[tag] : 0;
  }

  /** One form for all sessions of an encoding. */
  form(encoding: FieldEncoding): TextForm {
    let form = this.#forms.get(encoding);
    if (form === undefined) {
      form = new TextForm(encoding, this);
      this.#forms.set(encoding, form);
    }
    return form;
  }
}

/** Without a dictionary: the pairs of FIX 4.4, whose tags every other version uses alike. */
export const STANDARD_PAIRS = new DataPairs([
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
  [1401, 1402],
  [1403, 1404],
]);

/** An encoding with the data fields of a dictionary. */
export class TextForm {
  readonly isUtf8: boolean;
  /** Highest byte of a text field that the application may send. */
  readonly highest: number;

  constructor(
    readonly encoding: FieldEncoding,
    readonly pairs: DataPairs,
  ) {
    this.isUtf8 = encoding === 'utf8';
    this.highest = encoding === 'ascii' ? 0x7f : 0xff;
  }
}

export const STANDARD_FORM = STANDARD_PAIRS.form('latin1');

/** A field that cannot be sent: its tag, and what is wrong with it. The text never holds the value. */
export class FieldError extends RangeError {
  override readonly name = 'FieldError';

  constructor(
    readonly tag: number,
    what: string,
  ) {
    super(`Field ${tag}: ${what}`);
  }
}

/**
 * The data fields of a dictionary with their length fields: by name (`RawDataLength` and `RawData`, `EncodedTextLen` and `EncodedText`), else
 * the LENGTH field whose tag is one below. A data field without a length field is read as text. Standard pairs that the dictionary does not
 * define are pairs all the same: so its validation refuses them by name, and the message is not garbled.
 */
export function dataPairsOf(fields: readonly (readonly [tag: number, name: string, type: string])[]): DataPairs {
  const tags = new Map(fields.map(([tag, name]) => [name, tag]));
  const lengths = new Set(fields.filter(([, , type]) => type.toUpperCase() === 'LENGTH').map(([tag]) => tag));
  const defined = fields.flatMap(([tag, name, type]): [number, number][] => {
    if (!/^(XML)?DATA$/i.test(type)) return [];
    const below = lengths.has(tag - 1) ? tag - 1 : undefined;
    const length = tags.get(`${name}Length`) ?? tags.get(`${name}Len`) ?? below;
    return length === undefined ? [] : [[length, tag]];
  });
  const known = new Set(tags.values());
  const standard = STANDARD_PAIRS.pairs.filter(([length, data]) => !known.has(length) && !known.has(data));
  return new DataPairs([...standard, ...defined]);
}
