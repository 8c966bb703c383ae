/** What holds for every answer, whatever was asked. */
import { FIXED_HEADERS } from '../../../../rest/http/responses.js';
import { checkDescribed } from '../described.js';
import type { Answered, Sent } from './wire.js';

const STATUSES = [200, 400, 401, 403, 404, 405, 408, 409, 429, 503];
/** The store is there, so it is only prices that may be missing. */
const AWAY = new Set(['RATE_UNAVAILABLE']);

/** Throws, telling what is wrong. `secrets` are what no problem may show that its sender did not send. */
export function judge(sent: Sent, { status, headers, text }: Answered, secrets: Iterable<string>): void {
  if (!STATUSES.includes(status)) throw new Error(`status ${status}: ${text}`);
  for (let i = 0; i < FIXED_HEADERS.length; i += 2) {
    if (headers[FIXED_HEADERS[i]!] !== FIXED_HEADERS[i + 1])
      throw new Error(`${FIXED_HEADERS[i]} is missing or another`);
  }
  if (!/^[\w-]+-[a-z0-9]+$/.test(String(headers['x-request-id']))) throw new Error('x-request-id is missing');
  const body: unknown = sent.method === 'HEAD' ? undefined : JSON.parse(text);
  checkDescribed(sent.method, addressIn(sent.target), { status, headers, body });
  if (status !== 200 && body !== undefined) judgeProblem(sent, { status, headers, text }, body as Problem, secrets);
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly request_id: string;
  readonly message: string;
  readonly detail: string;
  readonly errors: unknown;
}

function judgeProblem(
  sent: Sent,
  { status, headers, text }: Answered,
  problem: Problem,
  secrets: Iterable<string>,
): void {
  const faults: string[] = [];
  if (problem.status !== status) faults.push(`says status ${problem.status}`);
  if (problem.request_id !== headers['x-request-id']) faults.push('says another request id');
  if (problem.type !== `urn:ratewire:refusal:${problem.code}`) faults.push('says another type');
  if (problem.message !== problem.detail) faults.push('says one thing twice, and differently');
  if (status === 503 && !AWAY.has(problem.code)) faults.push('says that we are away');
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(String(headers['retry-after'])))
    faults.push('no Retry-After');
  if (/\.[jt]s:\d+|node_modules|\/engine\/|Error:|redis|\blua\b/i.test(text.replace(problem.request_id, '')))
    faults.push('tells of our insides');
  const told = toldBy(sent);
  const ours = /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/.exec(`${problem.message} ${JSON.stringify(problem.errors)}`)?.[0];
  if (ours && !told.includes(ours)) faults.push(`names ${ours}, which is ours`);
  for (const secret of secrets) if (text.includes(secret) && !told.includes(secret)) faults.push(`shows ${secret}`);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${text}`);
}

/** All that the sender knows, as it was sent and as it was meant. */
function toldBy({ method, target, headers, body }: Sent): string {
  const raw = `${method} ${target} ${headers.flat().join(' ')} ${body?.toString() ?? ''}`;
  return `${raw} ${target.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))}`;
}

/** The path alone: a request may name the server too, or a place in a page. */
function addressIn(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
}
