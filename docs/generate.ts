/** Writes the reference pages: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiPage } from './api.js';
import { REFERENCE_PAGES } from './reference.js';

const PAGES = { ...REFERENCE_PAGES, '../engine/node-quickfix-ts/docs/api.md': apiPage };
for (const [name, page] of Object.entries(PAGES)) {
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), page());
  process.stdout.write(`docs/${name}\n`);
}
