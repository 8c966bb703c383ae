/** The form of stored records. */

/** The form of the store as a whole: that of its records, and since 3 positions beside them. */
export const STORE_FORM = 3;

/** The form in which this release writes records. */
export const FORM = 2;

/** A record of a form that this release does not read. */
export class UnknownForm extends Error {
  override readonly name = 'UnknownForm';

  constructor(what: string) {
    super(
      `${what} is of a form that this release does not read: run \`ratewire store migrate\` with the newest release`,
    );
  }
}

/** The JSON of facts: an object of form 1, or what follows the number of this release's form. Throws UnknownForm. */
export function jsonOfFacts(text: string, what: string): string {
  if (text.startsWith('{')) return text;
  if (text.startsWith(`${FORM}[`) || text.startsWith(`${FORM}{`)) return text.slice(1);
  throw new UnknownForm(what);
}
