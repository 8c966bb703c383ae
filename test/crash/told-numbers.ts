/** The messages that a desk received by MsgSeqNum(34), and whether a resend has the same content. */
import type { Received } from '../support/desk.js';

/** Stored by the engine under their numbers; the others are gap-filled on a resend. */
const STORED = new Set(['8', 'S', 'AG', 'AI', 'Y', 'j', 'BF']);
/** Fields that differ each time a message is sent. */
const OF_THE_SENDING = new Set([8, 9, 10, 43, 52, 122]);

export class ToldNumbers {
  readonly #told = new Map<number, string>();
  #passedOver: string[] = [];
  #replayedTo = 0;

  constructor(private readonly wrong: (text: string) => void) {}

  note(message: Received): void {
    const type = message.get(35)!;
    const number = Number(message.get(34));
    const to = type === '4' ? Number(message.get(36)) - 1 : number;
    if (message.get(43) === 'Y') this.#replayedTo = Math.max(this.#replayedTo, to);
    if (type === '4') this.#pass(number, to);
    else if (STORED.has(type)) this.#compare(number, message);
  }

  /** From here on, resent messages are compared. */
  beginReplay(): void {
    this.#passedOver = [];
    this.#replayedTo = 0;
  }

  /** The reports received before and gap-filled now; undefined while not all up to the number have arrived. */
  replayedUpTo(last: number): readonly string[] | undefined {
    return this.#replayedTo < last ? undefined : this.#passedOver;
  }

  #pass(from: number, to: number): void {
    for (const [number, text] of this.#told)
      if (number >= from && number <= to && text.startsWith('35=8')) this.#passedOver.push(text);
  }

  #compare(number: number, message: Received): void {
    const fields = message.fields.filter(([tag]) => !OF_THE_SENDING.has(tag));
    const now = fields.map((field) => field.join('=')).join('|');
    const before = this.#told.get(number) ?? now;
    if (before !== now) this.wrong(`number ${number} was given to ${before} and to ${now}`);
    this.#told.set(number, now);
  }
}
