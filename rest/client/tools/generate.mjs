/**
 * Writes rest/client/src/openapi.ts from the OpenAPI document on stdin: `npm run docs` runs it. It has a folder of its own because
 * openapi-typescript needs the TypeScript 5 beside it, and crashes with the TypeScript 7 of the rest.
 */
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

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
const types = astToString(ts.transform(nodes, [() => lean]).transformed)
  // Each interface has the type of its decimals as a parameter, and passes it on.
  .replace(/^export interface (paths|webhooks|components|operations) /gm, 'export interface $1<Decimal = number> ')
  .replace(/\b(components|operations)(?=\[")/g, '$1<Decimal>')
  .replace(/^export type \$defs = .*\n/m, '')
  .trim();

process.stdout.write(`/** Generated from the OpenAPI document by \`npm run docs\`: change the routes that it is made from, not this file. */
${types}
/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
${[...decimals]
  .sort()
  .map((name) => `    "${name}",\n`)
  .join('')}]);
`);

/**
 * Without what openapi-fetch's types do not read: members that can only be absent, such as methods that a path does not have, and members
 * that are empty then; headers of answers, which the Response has.
 */
function lean(node) {
  const isNeeded = ({ name, type }) => {
    if (type?.kind === ts.SyntaxKind.NeverKeyword) return false;
    if (name?.text === 'headers') return !type.members?.every(ts.isIndexSignatureDeclaration);
    return name?.text !== 'parameters' || type.members?.length !== 0;
  };
  const found = ts.visitEachChild(node, lean, undefined);
  if (ts.isTypeLiteralNode(found)) return ts.factory.updateTypeLiteralNode(found, found.members.filter(isNeeded));
  if (!ts.isInterfaceDeclaration(found)) return found;
  const { modifiers, name, typeParameters, heritageClauses, members } = found;
  return ts.factory.updateInterfaceDeclaration(
    found,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    members.filter(isNeeded),
  );
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
  for (const [key, inner] of Object.entries(node)) {
    const isPart = isSent || key === 'requestBody';
    if (key === 'properties') for (const [field, schema] of Object.entries(inner)) visit(schema, field, isPart);
    else visit(inner, key === 'schema' && node.name ? node.name : name, isPart);
  }
}
