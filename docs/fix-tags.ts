/** The tags that the programs name, as constants of the dictionary: a tag that the dictionary does not have cannot be written. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { modulesOf } from '../engine/node-quickfix-ts/src/generate/generate.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const NOT_PRODUCT = /(^|\/)(node_modules|dist)\/|^node-quickfix-ts\/|^domain\/fix\//;

/** The module of `node-quickfix-ts generate --only tags`, with each `Tag.<name>` in engine/. Throws an Error that names an unknown one. */
export function fixTags(): string {
  const files = readdirSync(path.join(root, 'engine'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !NOT_PRODUCT.test(file.replaceAll(path.sep, '/')));
  const named = sources.flatMap((file) => [
    ...readFileSync(path.join(root, 'engine', file), 'utf8').matchAll(/\bTag\.([A-Za-z]\w*)/g),
  ]);
  const dictionaries = [path.join(root, 'fix-config/FIX44-ratewire.xml')];
  const fields = [...new Set(named.map(([, name]) => name!))];
  return modulesOf({ dictionaries, only: ['tags'], fields })
    .map(([, text]) => text)
    .join('');
}
