/**
 * Writes the files of rest/client/src/openapi from the OpenAPI document on stdin, as one JSON object: `npm run docs` runs it. It has a folder
 * of its own because openapi-typescript needs the TypeScript 5 beside it, and crashes with the TypeScript 7 of the rest.
 */
import { text } from 'node:stream/consumers';
import openapiTS from 'openapi-typescript';
import ts from 'typescript';
import { fill, lines, sharedLines } from './print.mjs';

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
fill(schemas);
const parameters = new Map(component('parameters').map(({ name, type }) => [name.text, type]));

const HEAD =
  '/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */\n';
// Each interface has the type of its decimals as a parameter, and passes it on.
const interfaceOf = (name, lines) => `export interface ${name}<Decimal = number> {\n${lines}}\n`;
const operations = interfaceOf('operations', lines(membersOf('operations'), 1));

process.stdout.write(
  JSON.stringify({
    'schemas.ts': `${HEAD}${interfaceOf('components', '    schemas: Schemas<Decimal>;\n')}
${interfaceOf('Schemas', lines(schemas, 1, true))}
/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set(
    "${[...decimals].sort().join(' ')}".split(" "),
);
`,
    'operations.ts': `${HEAD}import type { Schemas } from "./schemas.js";

/** A body of JSON. */
interface Json<Body> { content: { "application/json": Body } }
interface Answer<Body> { 200: Json<Body> }
/** Parameters of many operations. */
interface SharedParameters {
${sharedLines(parameters)}}

${operations}`,
    'paths.ts': `${HEAD}import type { operations } from "./operations.js";

${interfaceOf('paths', lines(membersOf('paths'), 1))}
${interfaceOf('webhooks', lines(membersOf('webhooks'), 1))}`,
  }),
);

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
