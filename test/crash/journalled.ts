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

/** The one field of an entry has its parts in a fixed order: the reading of the store's own code is not used here. */
export function journalled(entry: string, [form, text = '']: string[]): Journalled {
  if (form !== '1') throw new TypeError(`journal entry ${entry} is of form ${form}`);
  const [step = '', id = '', at, moves = '', , actor = '', from = '', to = '', sub = ''] = text.split('|');
  return { entry, step, id, moves, at: Number(at), from, to, sub, actor };
}

/** The record of this kind that a receipt names; null for none, and for another kind. */
export function namedBy(receipt: string | null, kind: 'booking' | 'change' | 'payment' | 'funding'): string | null {
  const [form, its, id = null] = receipt?.split('|') ?? [];
  return form === '1' && its === kind ? id : null;
}

export function movesOf(text: string): string[][] {
  return text === '' ? [] : text.split(';').map((move) => move.split(' '));
}
