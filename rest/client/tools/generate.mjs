/**
 * Writes the files of rest/client/src/openapi from the OpenAPI document on stdin, as one JSON object: `npm run docs` runs it. The file of a
 * tag has its paths, operations and schemas, and names schemas of earlier tags only; document.ts joins them. It has a folder of its own
 * because openapi-typescript needs the TypeScript 5 beside it, and crashes with the TypeScript 7 of the rest.
 */
import { text } from 'node:stream/consumers';
import openapiTS from 'openapi-typescript';
import ts from 'typescript';
import { fill, homes, lines, sharedLines } from './print.mjs';

const document = JSON.parse(await text(process.stdin));
/** Refusals reject, as one type for all; `onBehalfOf` of the client sends the header. */
const ON_BEHALF_OF = '#/components/parameters/OnBehalfOf';
for (const kind of ['headers', 'responses']) delete document.components[kind];
delete document.components.parameters.OnBehalfOf;
const decimals = new Set();
/** Fields of other types: integers anywhere, and texts of requests, where a decimal may be a string. */
const others = new Set();
visit(document);
const both = [...decimals].filter((name) => others.has(name));
if (both.length > 0)
  throw new Error(
    `${both.join(', ')}: a decimal in one place, an integer or a text in another; the client goes by the name`,
  );

const DECIMAL = ts.factory.createTypeReferenceNode('Decimal');
const nodes = await openapiTS(document, {
  // A field with a default need not be sent.
  defaultNonNullable: false,
  transform: ({ type }) => (type === 'number' ? DECIMAL : undefined),
});
const membersOf = (name) => nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name).members;
const component = (kind) => membersOf('components').find(({ name }) => name.text === kind).type.members;
const schemas = component('schemas');
const parameters = new Map(component('parameters').map(({ name, type }) => [name.text, type]));

const HEAD =
  '/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */\n';
const files = {};
/** File -> the interfaces in it that others name. */
const exported = new Map([['shared', ['Answer', 'Json', 'SharedParameters']]]);
/** Of each kind the interfaces of all tags. */
const joined = { Paths: [], Operations: [], Schemas: [] };

for (const { name: tag } of document.tags) tagFile(tag, tag.toLowerCase().replace(/\W/g, '-'));
/** Such as refusals, which the types of operations do not have. */
const untagged = schemas.filter(({ name }) => !homes.has(name.text));
write('document', [
  interfaceOf('paths', '', joined.Paths),
  interfaceOf('webhooks', lines(membersOf('webhooks'), 1)),
  interfaceOf('operations', '', joined.Operations),
  interfaceOf('Schemas', lines(untagged, 1, true), joined.Schemas),
  interfaceOf('components', '    schemas: Schemas<Decimal>;\n'),
  `/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set(
    "${[...decimals].sort().join(' ')}".split(" "),
);
`,
]);
write('shared', [
  `/** A body of JSON. */
export interface Json<Body> { content: { "application/json": Body } }
export interface Answer<Body> { 200: Json<Body> }
/** Parameters of many operations. */
export interface SharedParameters {
${sharedLines(parameters)}}
`,
]);
process.stdout.write(JSON.stringify(files));

/** The file of a tag; of its schemas those that no file before has. */
function tagFile(tag, file) {
  const operations = ['paths', 'webhooks'].flatMap((section) =>
    Object.values(document[section]).flatMap((path) => Object.values(path).filter(({ tags }) => tags?.[0] === tag)),
  );
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const reached = new Set();
  for (const operation of operations) reach(operation, reached);
  const own = {
    Paths: membersOf('paths').filter(({ name }) => tagOf(name.text) === tag),
    Operations: membersOf('operations').filter(({ name }) => ids.has(name.text)),
    Schemas: schemas.filter(({ name }) => reached.has(name.text) && !homes.has(name.text)),
  };
  const kinds = Object.keys(own).filter((kind) => own[kind].length > 0);
  exported.set(file, []);
  for (const kind of kinds) {
    const name = tag.replace(/\W(\w)/g, (_, letter) => letter.toUpperCase()) + kind;
    joined[kind].push(name);
    exported.get(file).push(name);
    if (kind !== 'Paths') for (const member of own[kind]) homes.set(member.name.text, name);
  }
  fill(own.Schemas);
  write(
    file,
    kinds.map((kind) => interfaceOf(joined[kind].at(-1), lines(own[kind], 1, kind === 'Schemas'))),
  );
}

/** The tag of all operations of a path. */
function tagOf(path) {
  const tags = new Set(Object.values(document.paths[path]).flatMap((operation) => operation.tags ?? []));
  if (tags.size !== 1)
    throw new Error(`${path} has the tags ${[...tags].join(', ')}: give its operations one, for the file of its types`);
  return [...tags][0];
}

/** Collects the schemas that a part of the document comes to. */
function reach(node, found) {
  if (typeof node !== 'object' || node === null) return;
  const name = /^#\/components\/schemas\/(.*)/.exec(node.$ref)?.[1];
  if (found.has(name)) return;
  if (name) {
    found.add(name);
    reach(document.components.schemas[name], found);
  }
  for (const inner of Object.values(node)) reach(inner, found);
}

/** Each interface has the type of its decimals as a parameter, and passes it on. */
function interfaceOf(name, body, bases = []) {
  const from = bases.length > 0 ? ` extends\n    ${bases.map((base) => `${base}<Decimal>`).join(',\n    ')}\n` : ' ';
  return `export interface ${name}<Decimal = number>${from}{\n${body}}\n`;
}

/** `texts`: its declarations; they get the imports that they need. */
function write(file, texts) {
  const text = texts.join('\n');
  const words = new Set(text.replace(/\/\*\*.*?\*\//g, '').match(/\w+/g));
  const imports = [...exported].map(([from, names]) => {
    const used = from === file ? [] : names.filter((name) => words.has(name));
    return used.length > 0 ? `import type { ${used.join(', ')} } from "./${from}.js";\n` : '';
  });
  files[`${file}.ts`] = `${HEAD}${imports.join('')}\n${text}`;
}

/** Collects the names of numbers, and drops what the types need not have: forms, since the client sends JSON, refusals and examples. */
function visit(node, name, isSent = false) {
  if (typeof node !== 'object' || node === null) return;
  if (node['application/json']) delete node['multipart/form-data'];
  if (node.type === 'number') decimals.add(name);
  if (node.type === 'integer' || (isSent && node.type === 'string')) others.add(name);
  for (const [status, response] of Object.entries(node.responses ?? {})) {
    delete response.headers;
    if (!/^[23]/.test(status)) delete node.responses[status];
  }
  if (Array.isArray(node.parameters)) node.parameters = node.parameters.filter(({ $ref }) => $ref !== ON_BEHALF_OF);
  delete node.example;
  delete node.examples;
  // Conditions on fields, which types do not express: they have `required` alone.
  if (node.properties) delete node.allOf;
  for (const [key, inner] of Object.entries(node)) {
    const isPart = isSent || key === 'requestBody';
    if (key === 'properties') for (const [field, schema] of Object.entries(inner)) visit(schema, field, isPart);
    else visit(inner, key === 'schema' && node.name ? node.name : name, isPart);
  }
}
