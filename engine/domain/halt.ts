/** Trading in a pair, or in all (`*`), that an operator has stopped: there is no price, and nothing new is dealt. */
export interface Halt {
  /** In market convention, or `*`. */
  readonly pair: string;
  /** Who halted it. */
  readonly by: string;
  readonly reason: string;
  readonly sinceMs: number;
}
