/** A journal entry, read directly from Redis. */
export interface Journalled {
  readonly entry: string;
  readonly step: string;
  readonly id: string;
  readonly moves: string;
  /** Epoch ms. */
  readonly at: number;
  /** Of a payment's step; '' otherwise. */
  readonly from: string;
  readonly to: string;
  readonly sub: string;
  readonly actor: string;
}

export function journalled(entry: string, fields: string[]): Journalled {
  const read: Record<string, string> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) read[fields[i]!] = fields[i + 1]!;
  const { step = '', id = '', moves = '', at, from = '', to = '', sub = '', actor = '' } = read;
  return { entry, step, id, moves, at: Number(at), from, to, sub, actor };
}

export function movesOf(text: string): string[][] {
  return text === '' ? [] : text.split(';').map((move) => move.split(' '));
}
