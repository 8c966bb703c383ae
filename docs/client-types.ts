/** The files of rest/client/src/openapi: the types of ratewire-client, by openapi-typescript from the OpenAPI document. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../rest/openapi/document.js';

const GENERATOR = fileURLToPath(new URL('../rest/client/tools/generate.mjs', import.meta.url));
const TYPES_BYTES_MAX = 32 * 1024 * 1024;

/** File -> its text. Throws with the generator's own message where the document has what the client cannot express. */
export const clientTypes = (): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [GENERATOR], {
      input: JSON.stringify(openApiDocument()),
      encoding: 'utf8',
      maxBuffer: TYPES_BYTES_MAX,
    }),
  );
