/** The text of the generated modules: flat constants, interfaces, functions and classes, none of which does anything when it is loaded. */
import { ROUTING } from '../codec/encode.js';
import type { DictionaryModel, FieldModel, FieldsModel, Member, MessageModel } from './model.js';

/** Path below the output folder, and text. */
export type Module = readonly [path: string, text: string];

/** The modules of constants. */
export const CONSTANTS = ['tags', 'msg-types', 'values'] as const;

/** `only`: these modules of constants, without messages. */
export function emit(model: DictionaryModel, banner: string, only?: readonly string[]): Module[] {
  const { fields, messages, components, header } = model;
  const modules: [string, string[]][] = [
    ['tags.ts', ['/** Tags by name of field. */', ...fields.map(({ name, tag }) => `export const ${name} = ${tag};`)]],
    [
      'msg-types.ts',
      [
        '/** MsgType(35) by name of message. */',
        ...messages.map((message) => `export const ${message.name} = ${quoted(message.msgType)};`),
      ],
    ],
    ['values.ts', valuesOf(fields)],
  ];
  if (!only) {
    if (header) modules.push(['header.ts', headerModule(header)]);
    for (const component of components) modules.push([`${component.module}.ts`, fieldsModule(component)]);
    for (const message of messages) modules.push([`${message.module}.ts`, fieldsModule(message)]);
    modules.push(['index.ts', indexOf(modules.map(([path]) => path))]);
  }
  const kept = modules.filter(([path]) => !only || only.includes(path.slice(0, -3)));
  return kept.map(([path, lines]) => [path, `${[banner, ...lines].join('\n')}\n`]);
}

function indexOf(paths: readonly string[]): string[] {
  const names: Record<string, string> = { 'tags.ts': '* as Tag', 'msg-types.ts': '* as MsgType' };
  return paths.map((path) => `export ${names[path] ?? '*'} from ${quoted(`./${path.replace(/ts$/, 'js')}`)};`).sort();
}

function valuesOf(fields: readonly FieldModel[]): string[] {
  const listed = fields.filter(({ enumName }) => enumName !== undefined);
  if (listed.length === 0) return ['export {};'];
  return listed.flatMap((field) => [
    '',
    `/** Values of ${field.name}(${field.tag}). */`,
    `export const ${field.enumName} = {`,
    ...field.values.map(({ name, value }) => `  ${name}: ${literal(field, value)},`),
    '} as const;',
    `export type ${field.enumName} = (typeof ${field.enumName})[keyof typeof ${field.enumName}];`,
  ]);
}

function literal({ kind }: FieldModel, value: string): string {
  if (kind === 'flag') return String(value === 'Y');
  return kind === 'int' ? value : quoted(value);
}

/** Header fields that `send` takes among the fields of a message; it writes the others itself. PossResend(97) is one. */
const SENT: ReadonlySet<number> = new Set([97, ...ROUTING]);

function headerModule(header: FieldsModel): string[] {
  const sent = header.members
    .filter(({ field }) => SENT.has(field.tag))
    .map((member) => ({ ...member, isRequired: false }));
  const routing: FieldsModel = { ...header, name: `${header.name}Routing`, members: sent, groups: [] };
  return [
    ...importsOf(header, [...header.groups, header, routing]),
    ...header.groups.flatMap(declarationsOf),
    ...interfaceOf(header),
    ...readerOf(header),
    '',
    '/** The fields of the header that the sender of a message chooses. */',
    ...interfaceOf(routing).slice(1),
    ...builderOf(routing, `Header fields for \`send\`, which writes them into the header.`),
  ];
}

function fieldsModule(fields: FieldsModel | MessageModel): string[] {
  const isMessage = 'msgType' in fields;
  const title = isMessage ? `${fields.name}(${inComment(fields.msgType)})` : fields.name;
  return [
    ...importsOf(fields, [...fields.groups, fields]),
    ...fields.groups.flatMap(declarationsOf),
    '',
    `/** ${title}: its fields${isMessage ? ' without header and trailer' : ''}, in the order of the dictionary. */`,
    ...interfaceOf(fields).slice(1),
    ...builderOf(fields, `The fields of a ${title}, in the order of the dictionary.`),
    ...readerOf(fields),
    '',
    `/** Reads a ${title}; valid as long as \`from\` is. Its getters throw an Error when a required field is missing. */`,
    `export function read${fields.name}(from: FieldSource): ${fields.name}Reader {`,
    `  return new ${fields.name}Reader(from);`,
    '}',
  ];
}

function declarationsOf(group: FieldsModel): string[] {
  return [...interfaceOf(group), ...adderOf(group), ...readerOf(group)];
}

function importsOf({ module }: FieldsModel, declared: readonly FieldsModel[]): string[] {
  const members = declared.flatMap((fields) => fields.members);
  const up = '../'.repeat(module.split('/').length - 1) || './';
  const from = (path: string) => quoted(`${up}${path}.js`);
  const helpers = new Set(members.flatMap((member) => helperOf(member) ?? []));
  const enums = new Set(members.flatMap((member) => enumOf(member) ?? []));
  const foreign = new Map<string, Set<string>>();
  for (const { group } of members) {
    if (!group || group.module === module) continue;
    const names = foreign.get(group.module) ?? new Set();
    foreign.set(group.module, names.add(`add${group.name}`).add(`type ${group.name}`).add(`${group.name}Reader`));
  }
  return [
    `import type { Field } from 'node-quickfix-ts';`,
    `import { ${['type FieldSource', ...[...helpers].sort()].join(', ')} } from 'node-quickfix-ts/typed';`,
    ...(enums.size > 0 ? [`import type { ${[...enums].sort().join(', ')} } from ${from('values')};`] : []),
    ...[...foreign].sort(byFirst).map(([path, names]) => `import { ${[...names].join(', ')} } from ${from(path)};`),
  ];
}

const byFirst = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** A length that the builder counts may be left out. */
const isGiven = ({ isRequired, lengthOf }: Member): boolean => isRequired && !lengthOf;

function interfaceOf({ name, members }: FieldsModel): string[] {
  const lines = members.map((member) => {
    const { field, lengthOf } = member;
    const [mark, absent] = isGiven(member) ? ['', ''] : ['?', ' | undefined'];
    const counted = lengthOf ? `, counted from ${lengthOf.name}` : '';
    const comment = `/** ${field.tag} ${inComment(field.type.toUpperCase())}${counted} */`;
    return `  ${comment} readonly ${field.name}${mark}: ${typeOf(member)}${absent};`;
  });
  return ['', `export interface ${name} {`, ...lines, '}'];
}

function typeOf({ field, group }: Member): string {
  if (group) return `readonly ${group.name}[]`;
  if (field.kind === 'flag') return 'boolean';
  return field.kind === 'list' ? `readonly ${listOf(field)}` : valueTypeOf(field);
}

/** The enumeration that the type of the property names. */
function enumOf({ field: { kind, enumName, isOpen }, group }: Member): string | undefined {
  return group || kind === 'flag' || (isOpen && kind === 'int') ? undefined : enumName;
}

function listOf(field: FieldModel): string {
  const type = valueTypeOf(field);
  return type.includes(' ') ? `(${type})[]` : `${type}[]`;
}

/** `string & {}` takes any text, and an editor still proposes the listed values. */
function valueTypeOf({ kind, enumName, isOpen }: FieldModel): string {
  if (enumName === undefined || (isOpen && kind === 'int')) return kind === 'int' ? 'number' : 'string';
  return isOpen ? `${enumName} | (string & {})` : enumName;
}

function builderOf(fields: FieldsModel, what: string): string[] {
  return [
    ...adderOf(fields),
    '',
    `/** ${what} */`,
    `export function build${fields.name}(value: ${fields.name}): Field[] {`,
    '  const out: Field[] = [];',
    `  add${fields.name}(out, value);`,
    '  return out;',
    '}',
  ];
}

function adderOf({ name, members }: FieldsModel): string[] {
  if (members.length === 0) return ['', `export function add${name}(_out: Field[], _value: ${name}): void {}`];
  return ['', `export function add${name}(out: Field[], value: ${name}): void {`, ...members.map(additionOf), '}'];
}

function additionOf({ field, group, isRequired, lengthOf }: Member): string {
  // Data is text of one character a byte. A length that the caller gives is not used: a wrong one would garble the message.
  if (lengthOf)
    return `  if (value.${lengthOf.name} !== undefined) out.push([${field.tag}, value.${lengthOf.name}.length]);`;
  const value = `value.${field.name}`;
  const condition = isRequired ? '' : `if (${value} !== undefined${group ? ` && ${value}.length > 0` : ''}) `;
  if (!group) return `  ${condition}out.push([${field.tag}, ${wireValue(field, value)}]);`;
  const count = `out.push([${field.tag}, ${value}.length]);`;
  const entries = `for (const entry of ${value}) add${group.name}(out, entry);`;
  return isRequired ? `  ${count}\n  ${entries}` : `  ${condition}{\n    ${count}\n    ${entries}\n  }`;
}

function wireValue({ kind }: FieldModel, value: string): string {
  if (kind === 'flag') return `${value} ? 'Y' : 'N'`;
  return kind === 'list' ? `${value}.join(' ')` : value;
}

function readerOf({ name, members }: FieldsModel): string[] {
  return [
    '',
    `export class ${name}Reader implements ${name} {`,
    '  /** What the getters read; to reuse the reader, another one. */',
    '  from: FieldSource;',
    '  constructor(from: FieldSource) {',
    '    this.from = from;',
    '  }',
    ...members.map(getterOf),
    '}',
  ];
}

function getterOf(member: Member): string {
  const { field, group } = member;
  const type = group ? `readonly ${group.name}Reader[]` : typeOf(member);
  const helper = helperOf(member);
  const args = group ? `${field.tag}, ${group.name}Reader` : field.tag;
  const read = helper
    ? `${helper}(this.from, ${args})`
    : `this.from.${field.kind === 'int' ? 'int' : 'string'}(${args})`;
  const optional = isGiven(member) ? '' : ' | undefined';
  const mutable = field.kind === 'list' ? listOf(field) : valueTypeOf(field);
  const cast = enumOf(member) ? ` as ${mutable}${optional}` : '';
  return `  get ${field.name}(): ${type}${optional} { return ${read}${cast}; }`;
}

/** The function of typed.ts that reads the field; undefined where the source itself reads it. */
function helperOf(member: Member): string | undefined {
  const { field, group } = member;
  const isRequired = isGiven(member);
  const presence = isRequired ? 'required' : 'optional';
  if (group) return `${presence}Entries`;
  if (field.kind === 'flag') return `${presence}Flag`;
  if (field.kind === 'list') return `${presence}List`;
  if (!isRequired) return undefined;
  return field.kind === 'int' ? 'requiredInt' : 'requiredText';
}

/** Text of a dictionary in a comment: nothing of it ends the comment. */
export function inComment(text: string): string {
  return text.replace(/[^\w .:+-]/g, '_');
}

/** A literal in single quotes. */
function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
