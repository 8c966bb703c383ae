/** What a key may do, on both doors. */
export const RIGHTS = ['read', 'rates', 'trade', 'pay'] as const;

export type Right = (typeof RIGHTS)[number];

export function isRight(text: string): text is Right {
  return (RIGHTS as readonly string[]).includes(text);
}
