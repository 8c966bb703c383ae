import type { MessageView } from 'node-quickfix-ts';
import type { Refusal } from '../domain/refusal.js';
import type { Desk } from './desk.js';
import { type Door, noteRefusal } from './door.js';
import { ERROR_CODE } from './tags.js';

/** BusinessMessageReject(j) with our code. `message` may be a copy: a right is looked at only when the token has been read. */
export function businessReject(door: Door, desk: Desk, message: MessageView, reason: number, refusal: Refusal): void {
  noteRefusal(door, desk, 'j', refusal);
  desk.session.businessReject(message, reason, refusal.text, [[ERROR_CODE, refusal.refusal]]);
}
