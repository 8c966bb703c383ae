/** Writes the reference pages: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REFERENCE_PAGES } from './reference.js';

for (const [name, page] of Object.entries(REFERENCE_PAGES)) {
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), page());
  process.stdout.write(`docs/${name}\n`);
}
