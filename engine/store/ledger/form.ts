/** The form of stored records. */

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
