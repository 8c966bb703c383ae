/** The file that `npm start` writes for the demo client; a desk with a key of its own writes the same six fields. */
import { readFileSync } from 'node:fs';

export interface DeskCredentials {
  readonly clientKey: string;
  readonly clientSecret: string;
  /** SenderCompID(49) of the desk and TargetCompID(56) of the engine. */
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly host: string;
  readonly port: number;
  /** HOST:PORT of the REST door. */
  readonly rest: string;
}

/** Reads the credentials, or says in one line what to do; that line never contains a value of the file. */
export function readCredentials(file: string): DeskCredentials | Error {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === 'ENOENT')
      return new Error(`No credentials at ${file}: run npm start first, or name the file with --credentials`);
    return new Error(`Cannot read ${file} (${code}): check its owner and mode`);
  }
  const fields = jsonObject(text);
  const wanted = ['client_key', 'client_secret', 'sender_comp_id', 'target_comp_id'] as const;
  const missing = wanted.filter((name) => typeof fields?.[name] !== 'string' || fields[name] === '');
  if (!fields || missing.length > 0) {
    return new Error(
      `${file} lacks ${missing.join(', ')}: run npm start once more, or name another file with --credentials`,
    );
  }
  const { host, port } = address(fields.fix);
  return {
    clientKey: String(fields.client_key),
    clientSecret: String(fields.client_secret),
    senderCompId: String(fields.sender_comp_id),
    targetCompId: String(fields.target_comp_id),
    host,
    port,
    rest: typeof fields.rest === 'string' ? fields.rest : '127.0.0.1:8080',
  };
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `host:port`, with a scheme or without; what is missing is the default of a fresh engine. */
function address(fix: unknown): { host: string; port: number } {
  const [, host, port] = /^(?:[a-z]+:\/\/)?(.*?)(?::(\d{1,5}))?$/.exec(typeof fix === 'string' ? fix : '') ?? [];
  return { host: host || '127.0.0.1', port: Number(port ?? 5200) };
}
