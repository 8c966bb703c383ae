/** A client's session at the REST door of a running ratewire, for commands that act as a client does. */
import { resolve } from 'node:path';
import { RefusedError } from '../../cli/ask.js';
import { readCredentials } from '../desk/credentials.js';

export interface RestSession {
  /** HOST:PORT. */
  readonly rest: string;
  /** Authenticates where it has to. Throws RefusedError for a refusal. */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>>;
}

export const CREDENTIALS_HELP = 'JSON with client_key, client_secret and rest (default: demo-client.json of npm start)';

const TIMEOUT_MS = 30_000;

export function restSession(file: string | undefined, env: NodeJS.ProcessEnv = process.env): RestSession {
  const credentials = readCredentials(resolve(file ?? `${env.DATA_DIR || 'data'}/demo-client.json`));
  if (credentials instanceof Error) throw new RefusedError({ refusal: 'NOT_FOUND', text: credentials.message });
  const { rest, clientKey, clientSecret } = credentials;
  const at = rest.includes('://') ? rest : `http://${rest}`;
  let token: string | undefined;
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(at + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const authenticate = async (): Promise<string> => {
    const headers = { client_key: clientKey, client_secret: clientSecret };
    const { status, body } = await send('POST', '/api/v1/authentication', headers);
    if (status !== 200) throw refused(body);
    return String(body.token);
  };
  return {
    rest,
    async ask(method, path, fields) {
      for (let isSecond = false; ; isSecond = true) {
        token ??= await authenticate();
        const { status, body } = await send(method, path, { authorization: `Bearer ${token}` }, fields);
        if (status === 200) return body;
        if (status !== 401 || isSecond) throw refused(body);
        token = undefined;
      }
    },
  };
}

/** The refusal of a problem document; its text has what it says of each field. */
function refused({ code, detail, title, errors }: Record<string, unknown>): RefusedError {
  const faults = Array.isArray(errors) ? (errors as { field: string; message: string }[]) : [];
  const named = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const text = named || String(detail ?? title ?? 'refused');
  return new RefusedError({ refusal: String(code) as 'NOT_FOUND', text });
}
