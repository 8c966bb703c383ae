/** The form of a store and of its records: a process opens no store, and reads no record, of a form that it does not know. */
import type { Connection } from '../connection/connection.js';
import { StoreStartError } from '../connection/errors.js';

/** The form in which this release writes records; prelude.lua and payments.lua write it too. */
export const FORM = 1;

const FORM_KEY = 'store:form';

/** An empty store gets this release's form. Throws StoreStartError for a store of another one. */
export async function agreeOnForm(connection: Connection): Promise<void> {
  const form = (await connection.read((redis) => redis.get(FORM_KEY))) ?? (await formOfUnmarked(connection));
  if (form !== String(FORM))
    throw new StoreStartError(
      `this store is of form ${form.slice(0, 20)}, and this release reads form ${FORM} alone: run the release that wrote it, or set REDIS_URL or DATA_DIR to another store`,
    );
}

/** A store without clients has no records. Of several programs that create it at once one is first. */
async function formOfUnmarked(connection: Connection): Promise<string> {
  if ((await connection.read((redis) => redis.zcard('clients'))) > 0) return 'unknown';
  await connection.write((redis) => redis.set(FORM_KEY, String(FORM), 'NX'));
  return (await connection.write((redis) => redis.get(FORM_KEY))) ?? 'unknown';
}

/** A record of a form that this release does not read. */
export class UnknownForm extends Error {
  override readonly name = 'UnknownForm';

  constructor(what: string) {
    super(`${what} is of a form that this release does not read: run the release that wrote it`);
  }
}

/** The JSON of facts: what follows the number of the form. Throws UnknownForm. */
export function jsonOfFacts(text: string, what: string): string {
  if (text.startsWith(`${FORM}[`) || text.startsWith(`${FORM}{`)) return text.slice(1);
  throw new UnknownForm(what);
}
