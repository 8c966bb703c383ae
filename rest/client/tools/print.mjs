/**
 * Prints the nodes of openapi-typescript: what fits on a line as one, with its doc comment before it or else above it, and an object that
 * has most members of a named one as that and the difference.
 */
import ts from 'typescript';

const WIDTH = 140;
/** An object names another one for this many members or more. */
const COMMON_MIN = 4;
const printer = ts.createPrinter({ removeComments: true });
const nowhere = ts.createSourceFile('', '', ts.ScriptTarget.Latest);
const leaf = (node) => printer.printNode(ts.EmitHint.Unspecified, node, nowhere);

/** Schema or operation -> the interface that has it. */
export const homes = new Map();
/** The named objects: members by name. `fill` adds them; what is printed then refers to them. */
const bases = new Map();
/** Parameters that operations share, by name, as the operations were printed. */
const shared = new Map();

export function fill(schemas) {
  for (const { name, type } of schemas)
    if (type.kind === ts.SyntaxKind.TypeLiteral)
      bases.set(name.text, new Set(needed(type.members).map((member) => key(member))));
}

/** Members of an interface, at a depth; of `schemas`, where each may refer to a smaller one only. */
export const lines = (members, depth, isSchema = false) =>
  needed(members)
    .map((member) => memberLines(member, depth, isSchema))
    .map((text) => `${indent(depth)}${text};\n`)
    .join('');

/**
 * Without what openapi-fetch's types do not read: members that can only be absent, such as methods that a path does not have, and members
 * that are empty then; headers of answers, which the Response has.
 */
function needed(members) {
  return members.filter(({ name, type }) => {
    if (type?.kind === ts.SyntaxKind.NeverKeyword) return false;
    if (name?.text === 'headers') return !type.members?.every(ts.isIndexSignatureDeclaration);
    return name?.text !== 'parameters' || needed(type.members ?? [type]).length > 0;
  });
}

/** The parameters that what was printed shares; `types`: those of the components. */
export const sharedLines = (types) =>
  [...shared.values()]
    .map((member) => {
      const component = leaf(member.type).split('"')[3];
      const lead = `${nameOf(member.name)}${member.questionToken ? '?' : ''}`;
      return `    ${docOf(member)}\n    ${lead}: ${leaf(types.get(component))};\n`;
    })
    .join('');

const named = (name) => `${homes.get(name)}<Decimal>[${JSON.stringify(name)}]`;
const indent = (depth) => '    '.repeat(depth);
const nameOf = (name) => (ts.isIdentifier(name) || ts.isNumericLiteral(name) ? name.text : JSON.stringify(name.text));
/** The same for members that are written alike. */
const key = (member) => memberLines(member, 0);

function memberLines(member, depth, isSchema) {
  const doc = docOf(member);
  const text = withoutDoc(member, depth, isSchema);
  if (doc === '') return text;
  const line = `${doc} ${text}`;
  return line.includes('\n') || indent(depth).length + line.length > WIDTH ? `${doc}\n${indent(depth)}${text}` : line;
}

function withoutDoc(member, depth, isSchema) {
  if (!ts.isPropertySignature(member)) return leaf(member).replace(/;$/, '');
  const lead = `${nameOf(member.name)}${member.questionToken ? '?' : ''}: `;
  const room = WIDTH - indent(depth).length - lead.length;
  const { type } = member;
  if (isSchema && ts.isTypeLiteralNode(type))
    return lead + objectText(needed(type.members), depth, room, lead.slice(0, -2));
  return lead + typeText(type, depth, room);
}

function docOf(member) {
  const [comment] = ts.getSyntheticLeadingComments(member) ?? [];
  if (!comment) return '';
  const parts = comment.text.split('\n').map((line) => line.replace(/^[\s*]+|\s+$/g, ''));
  const texts = parts.map((part) => part.replace(/^@description /, '')).filter((part) => !/^(@|Format:|$)/.test(part));
  const format = /Format: (\S+)/.exec(comment.text)?.[1];
  const usual = /@default (.+)/.exec(comment.text)?.[1];
  const text =
    texts.join('. ').replace(/([.|])\. /g, '$1 ') +
    (format ? ` (${format})` : '') +
    (usual ? `; default ${usual.trim()}` : '');
  return text && `/** ${text.trim()} */`;
}

function typeText(node, depth, room) {
  const inner = (type) => typeText(type, depth, room);
  if (ts.isTypeLiteralNode(node)) return objectText(needed(node.members), depth, room);
  if (ts.isUnionTypeNode(node)) return node.types.map(inner).join(' | ');
  if (ts.isIntersectionTypeNode(node)) return node.types.map(inner).join(' & ');
  if (ts.isParenthesizedTypeNode(node)) return `(${inner(node.type)})`;
  if (ts.isArrayTypeNode(node)) {
    const item = inner(node.elementType);
    return /^\w.* & \{/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  return leaf(node).replace(/^(?:components\["schemas"\]|operations)\["(\w+)"\]/, (_, name) => named(name));
}

/** `own`: the name of the object, where it is a base itself. */
function objectText(members, depth, room, own) {
  const answer = answerOf(members, depth, room);
  if (answer) return answer;
  const parameters = members.filter(({ type }) => type && /^components\["parameters"\]/.test(leaf(type)));
  const base = parameters.length > 0 ? parametersBase(parameters) : baseOf(members, own);
  const rest = base ? members.filter((member) => !base.common.includes(member)) : members;
  const before = base ? `${base.text}${rest.length > 0 ? ' & ' : ''}` : '';
  return rest.length > 0 || !base ? before + literal(rest, depth, room - before.length) : before;
}

function literal(members, depth, room) {
  const docs = members.map(docOf);
  const texts = members.map((member) => withoutDoc(member, depth + 1));
  if (members.length === 1 || docs.every((doc) => doc === '')) {
    const line = `{ ${texts.map((text, i) => `${docs[i]}${docs[i] && ' '}${text}`).join('; ')} }`;
    if (line.length <= room && !line.includes('\n')) return line;
  }
  return `{\n${lines(members, depth + 1)}${indent(depth)}}`;
}

/** An answer or a body that is JSON alone. */
function answerOf(members, depth, room) {
  const [{ name, type } = {}, ...others] = members;
  if (others.length > 0 || !type || !ts.isTypeLiteralNode(type)) return undefined;
  if (name.text === 'content') {
    const [json, ...more] = needed(type.members);
    if (more.length === 0 && json?.name.text === 'application/json') return `Json<${typeText(json.type, depth, room)}>`;
  }
  if (name.text !== '200') return undefined;
  const content = answerOf(needed(type.members), depth, room);
  return content?.startsWith('Json<') ? `Answer<${content.slice('Json<'.length)}` : undefined;
}

function parametersBase(parameters) {
  for (const member of parameters) shared.set(member.name.text, member);
  const names = parameters.map(({ name }) => JSON.stringify(name.text));
  return { common: parameters, text: `Pick<SharedParameters, ${names.join(' | ')}>` };
}

/** The named object with the most members of these; a named one takes a smaller one, or an earlier of its size. */
function baseOf(members, own) {
  if (members.length < COMMON_MIN || !members.every(ts.isPropertySignature)) return undefined;
  const names = [...bases.keys()];
  const keys = members.map(key);
  let best;
  for (const [name, base] of bases) {
    const isLarger =
      base.size > members.length || (base.size === members.length && names.indexOf(name) >= names.indexOf(own));
    if (own !== undefined && isLarger) continue;
    const common = members.filter((_, i) => base.has(keys[i]));
    if (common.length >= COMMON_MIN && common.length > (best?.common.length ?? 0)) best = { name, base, common };
  }
  if (!best) return undefined;
  const { name, base, common } = best;
  const type = named(name);
  const commonKeys = new Set(common.map(key));
  const without = [...base].filter((one) => !commonKeys.has(one));
  if (without.length === 0) return { common, text: type };
  const nameIn = (text) => JSON.stringify(/^(?:\/\*\*.*\*\/\s)?"?([^"?:]+)/.exec(text)[1]);
  const [helper, listed] = without.length <= common.length ? ['Omit', without] : ['Pick', [...commonKeys]];
  return { common, text: `${helper}<${type}, ${listed.map(nameIn).join(' | ')}>` };
}
