import type { XmlElement } from './xml.js';

export const SECTION = { BODY: 0, HEADER: 1, TRAILER: 2 } as const;
export type Section = (typeof SECTION)[keyof typeof SECTION];

/** The fields of one level: a header, the body of a message, or one entry of a repeating group. */
export interface FieldSet {
  /** By field number: the field's place in the order of the dictionary, 1 and up; 0: not defined here. */
  readonly places: Uint16Array;
  /** Field numbers that must be there. */
  readonly required: readonly number[];
  /** By place: what follows a field that counts a repeating group. */
  readonly groups: readonly (FieldSet | undefined)[];
  /** Number of the first field: an entry of a group begins with it. */
  readonly first: number;
}

/** Components within components end well before this; more is a component that contains itself. */
const MAX_NESTING = 16;

/** Turns fields, groups and components of the XML into field sets. */
export class FieldSetBuilder {
  /** Deepest nesting of groups so far. */
  depth = 0;
  readonly #numbers = new Map<string, number>();
  readonly #components = new Map<string, XmlElement[]>();
  readonly #size: number;

  /** `names` and `tags` by field number. */
  constructor(names: readonly string[], tags: readonly number[], components: readonly XmlElement[]) {
    this.#size = tags.length;
    for (let number = 1; number < names.length; number++) this.#numbers.set(names[number], number);
    for (const component of components) {
      const name = component.attributes.name ?? '';
      this.#components.set(name, [...(this.#components.get(name) ?? []), ...component.children]);
    }
  }

  build(elements: readonly XmlElement[], depth = 0): FieldSet {
    this.depth = Math.max(this.depth, depth);
    const places = new Uint16Array(this.#size);
    const required: number[] = [];
    const groups: (FieldSet | undefined)[] = [undefined];
    let first = 0;

    const add = (element: XmlElement, isRequired: boolean, nesting: number): void => {
      const name = element.attributes.name ?? '';
      const needed = isRequired && element.attributes.required?.toUpperCase() === 'Y';
      if (element.name === 'component') {
        const children = this.#components.get(name);
        if (children === undefined || nesting > MAX_NESTING) {
          throw new Error(`Data dictionary: component ${name} is not defined, or contains itself`);
        }
        // A required field of an optional component is required only together with the component, which nothing marks.
        for (const child of children) add(child, needed, nesting + 1);
        return;
      }
      if (element.name !== 'field' && element.name !== 'group')
        throw new Error(`Data dictionary: <${element.name}> in a message`);
      const number = this.#numbers.get(name);
      if (number === undefined) throw new Error(`Data dictionary: field ${name} is used but not defined`);
      if (places[number] !== 0) return;
      if (first === 0) first = number;
      places[number] = groups.length;
      groups.push(element.name === 'group' ? this.build(element.children, depth + 1) : undefined);
      if (needed) required.push(number);
    };
    for (const element of elements) add(element, true, 0);
    return { places, required, groups, first };
  }
}
