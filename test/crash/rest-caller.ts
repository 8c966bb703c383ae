/** A REST client that distinguishes requests never sent, answered, and lost on the way. */
import { Agent, request } from 'node:http';
import type { CrashClient } from './clients.js';
import type { Attempt, Body, Intent } from './intents.js';
import type { Site } from './site.js';

const ANSWER_MS = 8_000;

export interface Answered {
  readonly status: number;
  readonly body: Body;
  readonly replayed: boolean;
}

/** `never-sent`: connection refused. `lost`: sent, perhaps in part, and never answered. */
export type Reply = Answered | 'never-sent' | 'lost';

export const isGiven = (reply: Reply): reply is Answered & { readonly status: 200 } =>
  typeof reply !== 'string' && reply.status === 200;

export class RestCaller {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #tokens = new Map<string, string>();
  #asked = 0;

  constructor(private readonly site: Site) {}

  /** At the next sidecar in turn, or at this one. */
  get(client: CrashClient, path: string, door?: string): Promise<Reply> {
    return this.#ask(client, 'GET', path, undefined, door);
  }

  post(client: CrashClient, path: string, body: Body): Promise<Reply> {
    return this.#ask(client, 'POST', path, body);
  }

  patch(client: CrashClient, path: string, body: Body): Promise<Reply> {
    return this.#ask(client, 'PATCH', path, body);
  }

  /** Sends a booking once more, and records the outcome. */
  async book(intent: Intent): Promise<Reply> {
    const { client, command } = intent;
    if (command.door !== 'rest') throw new Error('an order goes by its desk');
    intent.underWay++;
    const reply = await this.post(client, command.path, command.body);
    intent.underWay--;
    intent.attempts.push(attemptOf(reply));
    return reply;
  }

  /** False: no answer. Tokens outlive every crash, so each client needs one. */
  async authenticate(client: CrashClient): Promise<boolean> {
    const headers = { client_key: client.clientKey, client_secret: client.clientSecret };
    const reply = await this.#send('POST', '/api/v1/authentication', headers);
    if (typeof reply === 'string' || reply.status !== 200) return false;
    this.#tokens.set(client.id, String(reply.body.token));
    return true;
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(client: CrashClient, method: string, path: string, body?: Body, door?: string): Promise<Reply> {
    return this.#send(method, path, { authorization: `Bearer ${this.#tokens.get(client.id)}` }, body, door);
  }

  #send(method: string, path: string, headers: Record<string, string>, body?: Body, door?: string): Promise<Reply> {
    const doors = this.site.restDoors();
    const address = door ?? doors[this.#asked++ % doors.length];
    if (address === undefined) return Promise.resolve('never-sent');
    const [host, port] = address.split(':');
    const text = body && JSON.stringify(body);
    return new Promise((resolve) => {
      const asked = request({
        host,
        port,
        method,
        path,
        agent: this.#agent,
        timeout: ANSWER_MS,
        headers: { ...headers, ...(text && { 'content-type': 'application/json', 'content-length': text.length }) },
      });
      asked.on('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code === 'ECONNREFUSED' ? 'never-sent' : 'lost'),
      );
      asked.on('timeout', () => asked.destroy());
      asked.on('response', (response) => {
        let held = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          held += chunk;
        });
        response.on('error', () => resolve('lost'));
        response.on('close', () => resolve('lost'));
        response.on('end', () => {
          const replayed = response.headers['idempotent-replayed'] === 'true';
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(held) as Body, replayed });
        });
      });
      asked.end(text);
    });
  }
}

function attemptOf(reply: Reply): Attempt {
  if (reply === 'never-sent') return { kind: 'none' };
  if (reply === 'lost') return { kind: 'unknown' };
  const { status, body } = reply;
  if (status === 200) return { kind: 'acknowledged', confirmationId: String(body.confirmation_id), confirmation: body };
  if (status === 503) return { kind: body.outcome === 'none' ? 'none' : 'unknown' };
  // After a server error the outcome is unknown.
  return status >= 500 ? { kind: 'unknown' } : { kind: 'refused', code: String(body.code) };
}
