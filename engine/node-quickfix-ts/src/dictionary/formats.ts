/** Dictionaries as files: QuickFIX XML and FIX Orchestra become the same tree of elements. */
import { fromOrchestra, isOrchestra } from './orchestra.js';
import { parseXml, type XmlElement } from './xml.js';

/** The root of a dictionary as QuickFIX XML has it. Throws an Error with one clear line; `file` is named in it. */
export function readDictionaryXml(xml: string, file?: string): XmlElement {
  try {
    const root = parseXml(xml);
    if (isOrchestra(root)) return fromOrchestra(root);
    if (root.name === 'fix') return root;
    throw new Error(
      `Data dictionary: <${root.name}> is neither the <fix> of QuickFIX XML nor the <repository> of FIX Orchestra`,
    );
  } catch (error) {
    throw file === undefined ? error : new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** E.g. `FIX.4.4`, `FIX.5.0SP2`, `FIXT.1.1`, or the name that an Orchestra file gives itself. */
export function nameOfDictionary({ attributes }: XmlElement): string {
  const { type = 'FIX', major, minor, servicepack = '0', name } = attributes;
  if (major === undefined || minor === undefined) return name ?? 'without a version';
  return `${type}.${major}.${minor}${servicepack === '0' ? '' : `SP${servicepack}`}`;
}
