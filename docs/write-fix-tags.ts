/** Writes the constants of the tags, before anything is compiled: a program that names a new tag does not compile without its constant. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fixTags } from './fix-tags.js';

writeFileSync(fileURLToPath(new URL('../engine/domain/fix/tags.ts', import.meta.url)), fixTags());
