/** TLS of a FIX or REST port, as its program opens it from the settings. */
import { readConfig } from '../../engine/wiring/config.js';
import { openTls, type TlsListener } from '../../engine/wiring/tls/tls.js';

export interface TestTls extends TlsListener {
  /** `message {"fields":...}` */
  readonly logged: readonly string[];
}

export async function openTestTls(
  door: 'FIX' | 'REST',
  env: Record<string, string>,
  timing: Parameters<typeof openTls>[3] = {},
): Promise<TestTls> {
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const tls = (await openTls(door, readConfig(env), { info: note, warn: note, error: note }, timing))!;
  return { ...tls, logged };
}
