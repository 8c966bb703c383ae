/** The atomic steps: the files of `engine/store/lua`, read once, sent by their SHA-1. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Script {
  readonly sha: string;
  readonly text: string;
}

const folder = luaFolder(dirname(fileURLToPath(import.meta.url)));
const prelude = readFileSync(join(folder, 'prelude.lua'), 'utf8');

/** The step of that file name, with the functions of prelude.lua before it, and of `more`. Throws when there is no such file. */
export function script(name: string, more?: 'payments'): Script {
  const files = more === undefined ? [name] : [more, name];
  const text = [prelude, ...files.map((file) => readFileSync(join(folder, `${file}.lua`), 'utf8'))].join('\n');
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** The compiler does not copy Lua files: `dist/engine/store` reads those of the sources, beside `dist`. */
function luaFolder(from: string): string {
  for (let at = from; ; at = dirname(at)) {
    const found = join(at, 'engine', 'store', 'lua');
    if (existsSync(join(found, 'prelude.lua'))) return found;
    if (dirname(at) === at) throw new Error('engine/store/lua is missing: install the package whole');
  }
}
