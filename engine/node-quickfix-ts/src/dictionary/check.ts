/** `node-quickfix-ts dictionary check`: what is wrong with a dictionary, all of it, where `Dictionary.parse` stops at the first. */
import { MAX_NESTING } from './components.js';
import { FORMAT, FORMATS } from './field-values.js';
import type { XmlElement } from './xml.js';

export interface Finding {
  /** `error`: sessions cannot use it, or not as it is meant. `warning`: they can, and it is likely a mistake. */
  readonly level: 'error' | 'warning';
  readonly text: string;
}

/** Errors and warnings in the order of the file; none for a dictionary without a fault. */
export function checkDictionary(root: XmlElement): Finding[] {
  return new Checker(root).run();
}

const COUNTERS = new Set(['NUMINGROUP', 'INT']);

class Checker {
  readonly #root: XmlElement;
  readonly #findings: Finding[] = [];
  readonly #fields = new Map<string, XmlElement>();
  readonly #components = new Map<string, XmlElement>();

  constructor(root: XmlElement) {
    this.#root = root;
  }

  run(): Finding[] {
    for (const field of this.#section('fields')) this.#field(field);
    for (const component of this.#section('components')) {
      const name = component.attributes.name ?? '';
      if (this.#components.has(name)) this.#error(`component ${name} is defined twice`);
      this.#components.set(name, component);
    }
    const header = this.#section('header');
    const trailer = this.#section('trailer');
    if (header.length > 0 && header.slice(0, 3).map(nameOf).join() !== 'BeginString,BodyLength,MsgType')
      this.#error('the header does not begin with BeginString(8), BodyLength(9), MsgType(35)');
    if (trailer.length > 0 && trailer.map(nameOf).at(-1) !== 'CheckSum')
      this.#error('the trailer does not end with CheckSum(10)');
    this.#fieldsOf('the header', header);
    this.#fieldsOf('the trailer', trailer);
    for (const component of this.#components.values())
      this.#fieldsOf(`component ${nameOf(component)}`, component.children, [nameOf(component)]);
    this.#messages();
    return this.#findings;
  }

  #field(field: XmlElement): void {
    const { name = '', number = '', type = '' } = field.attributes;
    const title = `field ${name}(${number})`;
    if (name === '') this.#error(`field ${number} has no name`);
    if (!/^[1-9]\d{0,5}$/.test(number)) this.#error(`${title}: its number is none from 1 to 999999`);
    const sameName = this.#fields.get(name);
    if (sameName) this.#error(`${title}: its name is that of field ${sameName.attributes.number}, too`);
    const sameNumber = [...this.#fields.values()].find(({ attributes }) => attributes.number === number);
    if (sameNumber && !sameName) this.#error(`${title}: its number is that of ${nameOf(sameNumber)}, too`);
    this.#fields.set(name, field);
    if (!FORMATS.has(type.toUpperCase()))
      this.#warn(`${title}: type ${type === '' ? 'missing' : type} is unknown; its values are not checked`);
    const values = field.children.map(({ attributes }) => attributes.enum ?? '');
    for (const [i, value] of values.entries()) {
      if (value === '') this.#error(`${title}: value ${i + 1} is empty`);
      else if (values.indexOf(value) < i) this.#warn(`${title}: value ${value} is listed twice`);
    }
  }

  #messages(): void {
    const seen = new Map<string, string>();
    const messages = this.#section('messages');
    if (messages.length === 0) this.#warn('it has no messages');
    for (const message of messages) {
      const { name = '', msgtype = '' } = message.attributes;
      const title = `message ${name}(${msgtype})`;
      if (msgtype === '') this.#error(`${title}: it has no msgtype`);
      if (seen.has(msgtype)) this.#error(`${title}: its msgtype is that of ${seen.get(msgtype)}, too`);
      seen.set(msgtype, name);
      this.#fieldsOf(title, message.children);
    }
  }

  /** Checks one level: a message, the header, a component or an entry of a group; components within are part of it. */
  #fieldsOf(title: string, elements: readonly XmlElement[], within: readonly string[] = []): void {
    const seen = new Set<string>();
    /** With the component that has it. */
    const components = new Map<string, string | undefined>();
    let before = '';
    const visit = (element: XmlElement, path: readonly string[]): void => {
      const name = nameOf(element);
      if (element.name === 'component') {
        const component = this.#components.get(name);
        if (component === undefined) this.#error(`${title}: component ${name} is not defined`);
        else if (path.includes(name)) this.#error(`component ${name} contains itself`);
        else if (components.has(name)) {
          // Twice in one component is checked with that.
          if (path.length === within.length || components.get(name) !== path.at(-1))
            this.#warn(`${title}: component ${name} is there twice; its first place counts`);
        } else if (path.length >= MAX_NESTING)
          this.#error(`component ${name} is in more than ${MAX_NESTING} components and groups`);
        else for (const child of component.children) visit(child, [...path, name]);
        if (!components.has(name)) components.set(name, path.at(-1));
        return;
      }
      if (element.name !== 'field' && element.name !== 'group') {
        this.#error(`${title}: <${element.name}> is neither field, group nor component`);
        return;
      }
      const type = this.#fields.get(name)?.attributes.type?.toUpperCase();
      if (type === undefined) this.#error(`${title}: field ${name} is not defined`);
      if (seen.has(name)) this.#warn(`${title}: ${name} is there twice; its first place counts`);
      seen.add(name);
      // What is in a component is checked with the component.
      const isOwn = path.length === within.length;
      if (isOwn && FORMATS.get(type ?? '') === FORMAT.DATA && before !== 'LENGTH' && before !== 'INT')
        this.#warn(`${title}: ${name} is of type ${type}, and no field of its length is directly before it`);
      before = type ?? '';
      if (element.name === 'group' && isOwn) this.#group(title, element, type);
    };
    for (const element of elements) visit(element, within);
  }

  #group(title: string, group: XmlElement, type: string | undefined): void {
    const name = nameOf(group);
    if (group.children.length === 0) this.#error(`${title}: group ${name} has no fields`);
    if (type !== undefined && !COUNTERS.has(type))
      this.#warn(`${title}: group ${name} is counted by a field of type ${type}`);
    this.#fieldsOf(`${title}, group ${name}`, group.children);
  }

  #section(name: string): readonly XmlElement[] {
    return this.#root.children.filter((child) => child.name === name).flatMap((one) => one.children);
  }

  #error(text: string): void {
    this.#add('error', text);
  }

  #warn(text: string): void {
    this.#add('warning', text);
  }

  /** A fault of a component is found in each message that has it: once is enough. */
  #add(level: Finding['level'], text: string): void {
    if (!this.#findings.some((finding) => finding.text === text)) this.#findings.push({ level, text });
  }
}

function nameOf({ attributes }: XmlElement): string {
  return attributes.name ?? '';
}
