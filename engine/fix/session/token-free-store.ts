import type { SessionStore } from 'node-quickfix-ts';
import { AUTH_TOKEN } from '../tags.js';

/**
 * A session store that never holds a token: AuthToken(20001) is taken out of a message before it is kept, so a UserResponse(BF) that is
 * sent again says that the desk is logged in, but no longer with which token. The desk asks for another.
 */
export function tokenFree(store: SessionStore): SessionStore {
  return {
    open: (onTakenOver) => store.open(onTakenOver),
    reset: (nowMs) => store.reset(nowMs),
    reserve: (bound) => store.reserve(bound),
    settle: (nextOut, nextIn) => store.settle(nextOut, nextIn),
    saveNextIn: (nextIn) => store.saveNextIn(nextIn),
    append: (number, message, outboxEntry) => store.append(number, withoutToken(message), outboxEntry),
    read: (from, to, limit) => store.read(from, to, limit),
    close: () => store.close(),
  };
}

const TOKEN_FIELD = new RegExp(`\\x01${AUTH_TOKEN}=[^\\x01]*(?=\\x01)`);

/** The message without its token, framed anew; a message that has none stays as it is. */
function withoutToken(message: Uint8Array): Uint8Array {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1');
  if (!TOKEN_FIELD.test(text)) return message;
  const rest = text.replace(TOKEN_FIELD, '');
  const body = rest.slice(rest.indexOf('\x0135=') + 1, rest.lastIndexOf('\x0110=') + 1);
  const framed = Buffer.from(`${rest.slice(0, rest.indexOf('\x01') + 1)}9=${body.length}\x01${body}`, 'latin1');
  let sum = 0;
  for (const byte of framed) sum += byte;
  return Buffer.concat([framed, Buffer.from(`10=${String(sum % 256).padStart(3, '0')}\x01`, 'latin1')]);
}
