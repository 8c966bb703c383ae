/** The files of rest/client/src/openapi: the types of ratewire-client, by openapi-typescript from the OpenAPI document. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../rest/openapi/document.js';

const GENERATOR = fileURLToPath(new URL('../rest/client/tools/generate.mjs', import.meta.url));
const TYPES_BYTES_MAX = 32 * 1024 * 1024;

export const CLIENT_TYPES = ['paths.ts', 'operations.ts', 'schemas.ts'] as const;
let files: Readonly<Record<string, string>> | undefined;

/** One of these files. Throws with the generator's own message where the document has what the client cannot express. */
export function clientTypes(file: (typeof CLIENT_TYPES)[number]): string {
  files ??= generated();
  return files[file]!;
}

/** All of them, by name. */
const generated = (): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [GENERATOR], {
      input: JSON.stringify(openApiDocument()),
      encoding: 'utf8',
      maxBuffer: TYPES_BYTES_MAX,
    }),
  );
