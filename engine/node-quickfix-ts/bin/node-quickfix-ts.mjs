#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

// A reader such as head may close the pipe before the end.
process.stdout.on('error', () => process.exit());
process.exitCode = main(
  process.argv.slice(2),
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
);
