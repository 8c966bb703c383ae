import { type Field, formatUtcTimestamp, type MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { plainAddress } from '../../service/core/caller.js';
import { perform } from '../../service/perform.js';
import { type FixContext, inOrder, noteAuthentication, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk, type DeskToken, type TokenEnd } from '../desk.js';
import { BUSINESS_REASON } from '../refusals.js';

interface UserRequest extends AnswerTo {
  readonly type: string | undefined;
  readonly userName: string;
  readonly password: string | undefined;
}

/** UserStatus(926). */
const LOGGED_IN = 1;
const NOT_LOGGED_IN = 2;
const PASSWORD_INCORRECT = 4;
const OTHER = 6;

const readUserRequest = (message: MessageView): UserRequest => ({
  ...answerTo(message, Tag.UserRequestID),
  type: message.string(Tag.UserRequestType),
  userName: message.string(Tag.Username) ?? '',
  password: message.string(Tag.Password),
});

/** UserRequest(BE): a new token, a revocation of the current one, or its status. */
export function handleUserRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = readUserRequest(message);
  if (request.type === '1' && request.password === undefined) {
    const text = 'Conditionally required field missing: Password(554)';
    const code = [Tag.ErrorCode, 'VALIDATION_FAILED'] as const;
    desk.session.businessReject(message, BUSINESS_REASON.conditionallyRequired, text, [code]);
  } else inOrder(context, desk, () => answer(context, desk, request));
}

/** The desk exceeds its message rate. */
export function rejectThrottledUserRequest(context: FixContext, desk: Desk, message: MessageView): void {
  refuseUser(context, desk, readUserRequest(message), refuse('RATE_LIMITED'));
}

async function answer(context: FixContext, desk: Desk, request: UserRequest): Promise<void> {
  if (request.userName !== desk.identity.clientKey) {
    return refuseUser(context, desk, request, refuse('TOKEN_CLIENT_MISMATCH'));
  }
  if (request.type === '1') return renew(context, desk, request);
  if (request.type === '2') return revoke(context, desk, request);
  if (request.type === '4') return status(context, desk, request);
  refuseUser(context, desk, request, refuse('VALIDATION_FAILED', 'UserRequestType(924) must be 1, 2 or 4'));
}

async function renew(context: FixContext, desk: Desk, request: UserRequest): Promise<void> {
  if (!context.throttle.takeToken(desk.identity.compId, context.services.now())) {
    return refuseUser(
      context,
      desk,
      request,
      refuse('RATE_LIMITED', 'Too many tokens: the one in hand holds for a day'),
    );
  }
  const issued = await perform(context.services, 'renewToken', desk.identity.caller, {
    clientKey: request.userName,
    clientSecret: request.password,
    address: plainAddress(desk.session.remoteAddress),
  });
  if (!desk.session.loggedOn) return;
  if (isRefusal(issued)) return refuseUser(context, desk, request, issued);
  const { token, tokenHash, expiresAtMs } = issued;
  noteAuthentication(context, desk, { outcome: 'succeeded' });
  desk.holdToken({
    text: token,
    hash: tokenHash,
    expiresAtMs,
    request: { id: request.id, route: request.route },
  });
  sendUserResponse(desk, request, LOGGED_IN, tokenFields(desk));
}

async function revoke(context: FixContext, desk: Desk, request: UserRequest): Promise<void> {
  const { token } = desk;
  if (token !== undefined) {
    desk.revoking = token.hash;
    const revoked = await perform(context.services, 'revokeToken', desk.identity.caller, { token: token.text });
    desk.revoking = undefined;
    if (!desk.session.loggedOn) return;
    if (isRefusal(revoked)) return refuseUser(context, desk, request, revoked);
    noteAuthentication(context, desk, { outcome: 'revoked', tokens: 1 });
  }
  desk.loseToken('TOKEN_REVOKED');
  sendUserResponse(desk, request, NOT_LOGGED_IN);
  if (token !== undefined) endStreamsOf(desk, token.hash, 'TOKEN_REVOKED');
}

async function status(context: FixContext, desk: Desk, request: UserRequest): Promise<void> {
  const { token } = desk;
  if (token === undefined) return sendUserResponse(desk, request, NOT_LOGGED_IN, endFields(desk.tokenEnd));
  const read = await perform(context.services, 'readToken', desk.identity.caller, { token: token.text });
  if (!desk.session.loggedOn) return;
  if (isRefusal(read)) return refuseUser(context, desk, request, read);
  if (read.state === 'live') return sendUserResponse(desk, request, LOGGED_IN, tokenFields(desk));
  sendUserResponse(
    desk,
    request,
    NOT_LOGGED_IN,
    endFields(read.state === 'revoked' ? 'TOKEN_REVOKED' : 'TOKEN_EXPIRED'),
  );
}

/** The token of the session ends in five minutes. */
export function warnOfExpiry(desk: Desk, token: DeskToken): void {
  desk.warned = true;
  sendUserResponse(desk, token.request, LOGGED_IN, [
    [Tag.UserStatusText, refuse('TOKEN_EXPIRING').text],
    [Tag.AuthTokenExpireTime, formatUtcTimestamp(token.expiresAtMs)],
    [Tag.ErrorCode, 'TOKEN_EXPIRING'],
  ]);
}

/** A token has expired or was revoked: the desk is notified, and each stream that depends on it ends. The session stays up. */
export function endToken(context: FixContext, desk: Desk, hash: string, end: TokenEnd): void {
  const { token } = desk;
  if (token?.hash === hash) {
    if (end === 'TOKEN_REVOKED') noteAuthentication(context, desk, { outcome: 'revoked', code: end, tokens: 1 });
    desk.loseToken(end);
    sendUserResponse(desk, token.request, NOT_LOGGED_IN, endFields(end));
  }
  endStreamsOf(desk, hash, end);
}

function endStreamsOf(desk: Desk, hash: string, end: TokenEnd): void {
  for (const stream of [...desk.streams.values()]) {
    if (stream.tokenHash === hash) stream.end(refuse(end));
  }
}

function refuseUser(context: FixContext, desk: Desk, request: UserRequest, refusal: Refusal): void {
  const isWrongSecret = refusal.refusal === 'BAD_CREDENTIALS' || refusal.refusal === 'KEY_LOCKED';
  const text = isWrongSecret ? 'Authentication failed' : refusal.text;
  noteRefusal(context, desk, 'BF', refusal);
  desk.session.send('BF', [
    ...request.route,
    [Tag.UserRequestID, request.id],
    [Tag.Username, request.userName],
    [Tag.UserStatus, isWrongSecret ? PASSWORD_INCORRECT : OTHER],
    [Tag.UserStatusText, text],
    [Tag.ErrorCode, refusal.refusal],
  ]);
}

function sendUserResponse(desk: Desk, { id, route }: AnswerTo, userStatus: number, more: readonly Field[] = []): void {
  desk.session.send('BF', [
    ...route,
    [Tag.UserRequestID, id],
    [Tag.Username, desk.identity.clientKey],
    [Tag.UserStatus, userStatus],
    ...more,
  ]);
}

function tokenFields({ token }: Desk): Field[] {
  if (token === undefined) return [];
  return [
    [Tag.AuthToken, token.text],
    [Tag.AuthTokenExpireTime, formatUtcTimestamp(token.expiresAtMs)],
  ];
}

function endFields(end: TokenEnd | undefined): Field[] {
  return end === undefined
    ? []
    : [
        [Tag.UserStatusText, refuse(end satisfies RefusalCode).text],
        [Tag.ErrorCode, end],
      ];
}
