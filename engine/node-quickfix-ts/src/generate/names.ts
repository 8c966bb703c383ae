/** Identifiers from names of a dictionary: what is no identifier is made one, what is reserved or taken gets a suffix. */

/** Words that no constant of JavaScript or TypeScript may have as its name, and names that a reader has of its own. */
const WORDS = (
  'abstract any arguments as async await bigint boolean break case catch class const constructor continue debugger declare default delete ' +
  'do else enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let ' +
  'module namespace never new null number object of package private protected prototype public readonly require return satisfies set ' +
  'static string super switch symbol this throw true try type typeof undefined unique unknown var void while with yield __proto__ ' +
  'NaN Infinity'
).split(' ');

/** What generated modules import or declare beside the types. */
const TYPES = (
  'Field FieldSource Tag MsgType Error Array value entry out ' +
  'requiredText requiredInt requiredFlag requiredList requiredEntries optionalFlag optionalList optionalEntries'
).split(' ');

/** `name` with each character that an identifier cannot have as `_`; a leading digit gets `_` before it. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_$]+/g, '_');
  return plain === '' || /^\d/.test(plain) ? `_${plain}` : plain;
}

/** One scope of names. */
export class Names {
  readonly #taken = new Set<string>(WORDS);
  readonly #formsOf: (name: string) => readonly string[];

  /** `formsOf`: every identifier that a name brings with it. */
  constructor(formsOf: (name: string) => readonly string[] = (name) => [name], reserved: readonly string[] = []) {
    this.#formsOf = formsOf;
    for (const name of reserved) this.#taken.add(name);
  }

  /** `name` as an identifier; when that is reserved or taken, with `_` and `qualifier` behind it, then with a count. */
  take(name: string, qualifier: string | number): string {
    const plain = identifier(name);
    const candidates = [plain, `${plain}_${identifier(String(qualifier)).replace(/^_(?=\d)/, '')}`];
    for (let n = 2; ; n++) {
      const candidate = candidates.shift() ?? `${plain}_${qualifier}_${n}`;
      const forms = this.#formsOf(candidate);
      if (forms.some((form) => this.#taken.has(form))) continue;
      for (const form of forms) this.#taken.add(form);
      return candidate;
    }
  }
}

/** Names of types, each of which is also a file or the stem of functions: two never differ by case alone. */
export const typeNames = (): Names =>
  new Names(
    (name) => [name, ...[name, `${name}Reader`, `build${name}`, `read${name}`, `add${name}`].map(caseless)],
    TYPES,
  );

/** No identifier of a dictionary begins with `~`. */
function caseless(name: string): string {
  return `~${name.toLowerCase()}`;
}
