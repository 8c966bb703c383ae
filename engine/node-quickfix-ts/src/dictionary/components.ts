/** Reads the components of a dictionary where a message, a group or another component has them. */
import type { XmlElement } from './xml.js';

/** Components and groups within each other; those of FIX 5.0SP2 are 17 deep. */
export const MAX_NESTING = 32;

/** Called for each element of a level; `within` is the component that has it, `depth` how many components and groups are around it. */
type OnElement = (element: XmlElement, isRequired: boolean, depth: number, within: string | undefined) => void;

/** By name; one that is defined in several places has the elements of all. */
export class Components {
  readonly #children = new Map<string, XmlElement[]>();

  constructor(components: readonly XmlElement[]) {
    for (const { attributes, children } of components) {
      const name = attributes.name ?? '';
      this.#children.set(name, [...(this.#children.get(name) ?? []), ...children]);
    }
  }

  /** Its elements; undefined: it is not defined. */
  get(name: string): readonly XmlElement[] | undefined {
    return this.#children.get(name);
  }

  /**
   * Calls `each` for the elements of one level in their order, and for those of a component behind it. Of a component that is there twice the
   * first place counts. Throws an Error when one is not defined, contains itself, or is deeper than `MAX_NESTING`.
   */
  visit(elements: readonly XmlElement[], depth: number, each: OnElement): void {
    const state = new Map<string, 'open' | 'visited'>();
    const visit = (element: XmlElement, isRequired: boolean, depth: number, within?: string): void => {
      const name = element.attributes.name ?? '';
      // A required field of an optional component is required only together with the component, which nothing marks.
      const needed = isRequired && element.attributes.required?.toUpperCase() === 'Y';
      if (depth > MAX_NESTING)
        throw new Error(`Data dictionary: ${name} is in more than ${MAX_NESTING} components and groups`);
      if (!/^(field|group|component)$/.test(element.name))
        throw new Error(`Data dictionary: <${element.name}> in a message`);
      each(element, needed, depth, within);
      if (element.name !== 'component' || state.get(name) === 'visited') return;
      const children = this.#children.get(name);
      if (children === undefined) throw new Error(`Data dictionary: component ${name} is not defined`);
      if (state.has(name)) throw new Error(`Data dictionary: component ${name} contains itself`);
      state.set(name, 'open');
      for (const child of children) visit(child, needed, depth + 1, name);
      state.set(name, 'visited');
    };
    for (const element of elements) visit(element, true, depth);
  }
}
