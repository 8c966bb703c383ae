/**
 * What a client's key may do, on both doors; a key that names no rights has those of its client. `manage` is for webhooks, beneficiaries,
 * batches and sub-clients.
 */
export const RIGHTS = ['read', 'rates', 'trade', 'pay', 'manage'] as const;

/** Every client's data on the live page. Never a default, granted to one key at a time; no operation of the doors requires it. */
export const OPERATE = 'operate';

export const ALL_RIGHTS = [...RIGHTS, OPERATE] as const;

export type Right = (typeof ALL_RIGHTS)[number];

export function isRight(text: string): text is Right {
  return (ALL_RIGHTS as readonly string[]).includes(text);
}

/** Name of an operator in the audit log; brackets are for the account behind it. */
export const OPERATOR_NAME = /^[\p{L}\p{N}._@-][\p{L}\p{N} ._@-]{0,63}$/u;
