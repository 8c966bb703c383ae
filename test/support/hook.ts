/** A receiver of webhooks on a loopback port, which answers as the test says, and keeps what it got. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Got {
  readonly id: string;
  readonly atMs: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** What it was answered with; 0: nothing. */
  status: number;
  readonly body: {
    readonly type: string;
    readonly sequence: number;
    readonly challenge?: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A status, one with headers, or `hang`: no answer at all. */
export type Reply = number | readonly [status: number, headers: Readonly<Record<string, string>>] | 'hang';

export interface Hook {
  readonly url: string;
  readonly got: Got[];
  /** Challenges that it was sent, which are not among `got`. */
  readonly challenges: readonly Got[];
  /** Whether it answers challenges. */
  answersChallenges: boolean;
  /** For each request; default 200. */
  reply: (got: Got) => Reply | Promise<Reply>;
  /** The body of its answers. */
  replyText: (got: Got) => string | Promise<string>;
  /** Sequences of what got a 2xx, in order. */
  accepted(): readonly number[];
  stop(): Promise<void>;
}

export async function startHook(port = 0): Promise<Hook> {
  const got: Got[] = [];
  const challenges: Got[] = [];
  const accepted: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as Readonly<Record<string, string>>;
    const one: Got = {
      id: headers['webhook-id']!,
      atMs: Date.now(),
      path: request.url!,
      headers,
      text,
      status: 0,
      body: JSON.parse(text),
    };
    const { challenge } = one.body;
    if (challenge !== undefined) {
      challenges.push(one);
      if (hook.answersChallenges) {
        response.end(challenge);
        return;
      }
    } else got.push(one);
    const reply = await hook.reply(one);
    if (reply === 'hang') return;
    const [status, more] = typeof reply === 'number' ? [reply, {}] : reply;
    one.status = status;
    if (status >= 200 && status < 300 && challenge === undefined) accepted.push(one.body.sequence);
    response.writeHead(status, more).end(await hook.replyText(one));
  };
  const server: Server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    challenges,
    answersChallenges: true,
    reply: () => 200,
    replyText: () => 'x',
    accepted: () => accepted,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hook;
}

/** By the library of Standard Webhooks: throws where a signature is missing or wrong. */
export function verify(secret: string, { text, headers }: Got): void {
  new Webhook(secret).verify(text, { ...headers });
}
