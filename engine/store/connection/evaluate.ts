/** Sends a step to one server. */
import { Command, type Redis } from 'ioredis';
import { writeTogether } from './redis-client.js';
import type { Script } from './scripts.js';

/** EVALSHA; a restarted server has lost the script, which is sent once more; `again` is called before. */
export async function evaluate(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | Buffer)[],
  again?: () => Promise<void> | undefined,
): Promise<unknown> {
  try {
    writeTogether(redis);
    return await evalsha(redis, script, keys, args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    const turn = again?.();
    const reply = await redis.eval(script.text, keys.length, ...keys, ...args);
    await turn;
    return reply;
  }
}

/** As redis.evalsha, which copies and measures each of forty arguments: a tenth of the CPU of a booking. */
function evalsha(redis: Redis, { sha }: Script, keys: readonly string[], args: readonly (string | Buffer)[]): unknown {
  let text = `*${3 + keys.length + args.length}\r\n$7\r\nEVALSHA\r\n$40\r\n${sha}\r\n${bulk(String(keys.length))}`;
  for (const key of keys) text += bulk(key);
  let isText = true;
  for (const arg of args) {
    if (typeof arg === 'string') text += bulk(arg);
    else isText = false;
  }
  // A length in characters is one in bytes only where all of them are ASCII.
  if (!isText || Buffer.byteLength(text) !== text.length) return redis.evalsha(sha, keys.length, ...keys, ...args);
  return redis.sendCommand(new EncodedCommand(text));
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** A step as its bytes in the protocol of Redis. */
class EncodedCommand extends Command {
  constructor(private readonly text: string) {
    super('evalsha', [], { replyEncoding: 'utf8' });
  }

  override toWritable(): string {
    return this.text;
  }
}
