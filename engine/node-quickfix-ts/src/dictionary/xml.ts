/** As much XML as a data dictionary uses: elements, attributes, comments, the five entities. Text content is passed over. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Those of a dictionary are at most 6 deep, those of FIX Orchestra a little more. */
const MAX_DEPTH = 64;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text as the value of an attribute, in quotes of either kind. */
export function escapeXml(text: string): string {
  return Object.entries(ENTITIES).reduce((so, [name, character]) => so.replaceAll(character, `&${name};`), text);
}

/** The root element. Throws an Error that names the place when the text is not well-formed. */
export function parseXml(xml: string): XmlElement {
  const root = { name: '', attributes: {}, children: [] as XmlElement[] };
  const open: { name: string; children: XmlElement[] }[] = [root];
  let read = 0;
  for (const token of xml.matchAll(TOKEN)) {
    if (xml.slice(read, token.index).includes('<')) break;
    read = token.index + token[0].length;
    const [, closing, name, attributes, empty] = token;
    if (name === undefined) continue;
    const parent = open[open.length - 1];
    if (closing) {
      if (open.length === 1 || parent.name !== name) throw malformed(xml, token.index, `unexpected </${name}>`);
      open.pop();
      continue;
    }
    const element = { name, attributes: attributesOf(attributes), children: [] };
    parent.children.push(element);
    if (!empty) open.push(element);
    if (open.length > MAX_DEPTH) throw malformed(xml, token.index, `elements more than ${MAX_DEPTH} deep`);
  }
  if (xml.slice(read).includes('<')) throw malformed(xml, read + xml.slice(read).indexOf('<'), 'not an element');
  if (open.length > 1) throw malformed(xml, xml.length, `<${open[open.length - 1].name}> is not closed`);
  if (root.children.length !== 1) throw malformed(xml, 0, 'one root element expected');
  return root.children[0];
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = (double ?? single).replace(/&(#?\w+);/g, decoded);
  }
  return attributes;
}

function decoded(whole: string, entity: string): string {
  if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
  const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number.parseInt(entity.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

function malformed(xml: string, at: number, what: string): Error {
  const line = xml.slice(0, at).split('\n').length;
  return new Error(`Data dictionary: ${what} at line ${line}; give a QuickFIX-style or Orchestra XML file`);
}
