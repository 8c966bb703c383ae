import type { Audited } from '../core/operation.js';

/** A change of a client's record, by the field of the input that names the client. */
export function clientAudited<Field extends string>(field: Field): Audited<Readonly<Record<Field, string>>> {
  return {
    subject: (input) => `client ${input[field]}`,
    state: ({ store }, input) => store.clients.get(input[field]),
  };
}
