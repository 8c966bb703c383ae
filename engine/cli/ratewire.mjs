#!/usr/bin/env node
// `npx ratewire`: the operator's command line, as it was built by the last `npm start`.
import { existsSync } from 'node:fs';

const built = new URL('../../dist/engine/tools/ratewire.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('ratewire is not built yet: run `npm start` once first.\n');
  process.exitCode = 1;
}
