/** The steps of the script about the session itself. The texts are those of fix-config/certification.md. */
import * as Tag from '../../domain/fix/tags.js';
import { type Conductor, nameOf, type Step } from './conductor.js';
import { isResent, numberOf, typeOf, type WireMessage } from './wire.js';

export const LOGON: Step = {
  name: 'logon',
  title: 'Logon',
  begins: 'the operator says that the engine listens',
  engine: 'Answers Logon(A) with AuthToken(20001) and AuthTokenExpireTime(20002).',
  desk: 'Connects and sends Logon(A) with MsgSeqNum(34)=1, EncryptMethod(98)=0, HeartBtInt(108) from 1 to 60 (5 keeps step 2 short), Username(553) and Password(554). The engine has no numbers of an earlier session: set ResetSeqNumFlag(141)=Y, or begin with an empty store.',
  checks: {
    first: 'The first message of the connection is Logon(A) with MsgSeqNum(34)=1 and EncryptMethod(98)=0',
    interval: 'HeartBtInt(108) is a whole number from 1 to 60',
    credentials: 'Username(553) and Password(554) are those of this run',
    accepted: 'The engine answers with Logon(A)',
  },
  async run(run) {
    const { firstMs } = run.options;
    const lateAt = performance.now() + firstMs;
    for (;;) {
      const index = await run.until(
        () => found(run.find('desk', [], () => true, run.cursor)),
        'no message from the desk',
        Math.max(0, lateAt - performance.now()),
      );
      const logon = run.log.messages[index]!;
      run.cursor = index + 1;
      judgeLogon(run, logon);
      const { connection } = logon;
      const answered = () => {
        const at = run.find('engine', ['A', '5'], (one) => one.connection === connection, index);
        return at >= 0 || run.isClosed(connection) ? at : undefined;
      };
      const at = await run.until(answered, 'no answer from the engine');
      const answer = run.log.messages[at];
      run.cursor = Math.max(index, at) + 1;
      if (answer === undefined || typeOf(answer) !== 'A') {
        run.judge(
          'accepted',
          false,
          answer?.view.string(Tag.Text) ?? 'the engine closes the connection without an answer',
        );
        continue;
      }
      run.judge('accepted', true);
      run.memory.logonAt = run.cursor;
      run.memory.token = answer.view.string(Tag.AuthToken) ?? '';
      run.memory.heartBtS = answer.view.int(Tag.HeartBtInt) ?? 0;
      return;
    }
  },
};

const found = (index: number): number | undefined => (index < 0 ? undefined : index);

function judgeLogon(run: Conductor, logon: WireMessage): void {
  const { view } = logon;
  if (typeOf(logon) !== 'A') {
    run.judge('first', false, `the first message is ${nameOf(run, logon)}`);
    return;
  }
  const isFirst = numberOf(logon) === 1 && view.string(Tag.EncryptMethod) === '0';
  run.judge('first', isFirst, `34=${view.string(Tag.MsgSeqNum)}, 98=${view.string(Tag.EncryptMethod) ?? 'missing'}`);
  const interval = view.int(Tag.HeartBtInt) ?? 0;
  run.judge('interval', interval >= 1 && interval <= 60, `108=${view.string(Tag.HeartBtInt) ?? 'missing'}`);
  const { clientKey, clientSecret } = run.engine;
  const wrong = [
    ...(view.string(Tag.Username) === clientKey ? [] : ['Username(553)']),
    ...(view.string(Tag.Password) === clientSecret ? [] : ['Password(554)']),
  ];
  run.judge('credentials', wrong.length === 0, `${wrong.join(' and ')} missing, or not of this run`);
}

/** TestReqID(112) of the engine's own question after 1.5 intervals of silence. */
const AFTER_SILENCE = 'TEST';
/** A margin over the engine's own bound for a silent desk. */
const SILENT_INTERVALS = 2.5;

export const HEARTBEAT: Step = {
  name: 'heartbeat',
  title: 'Heartbeats',
  begins: 'Logon(A) is answered',
  engine: 'Sends TestRequest(1) with TestReqID(112)=CERT-2, and then nothing.',
  desk: 'Answers TestRequest(1) with Heartbeat(0) and the same TestReqID(112). Sends a Heartbeat(0) of its own when it has sent nothing for HeartBtInt(108) seconds. Its application waits.',
  checks: {
    answered: 'TestRequest(1) is answered by Heartbeat(0) with the same TestReqID(112)',
    own: 'After one interval of silence the desk sends Heartbeat(0) by itself: the engine need not ask',
  },
  independent: true,
  async run(run) {
    run.testRequest('CERT-2');
    await run.heartbeat('CERT-2');
    run.judge('answered', true);
    const from = run.cursor;
    const isOwn = ({ view }: WireMessage) => !view.has(Tag.TestReqID);
    const isAsked = ({ view }: WireMessage) => view.string(Tag.TestReqID) === AFTER_SILENCE;
    const seen = () => {
      const own = run.find('desk', ['0'], isOwn, from);
      return own >= 0 ? own : found(run.find('engine', ['1'], isAsked, from));
    };
    const withinMs = Math.max(run.waitMs, run.memory.heartBtS * 1_000 * SILENT_INTERVALS);
    const message = run.log.messages[await run.until(seen, 'no Heartbeat(0) without TestReqID(112)', withinMs)]!;
    run.judge('own', message.from === 'desk', `nothing for 1.5 intervals of ${run.memory.heartBtS} s`);
  },
};

export const GAP: Step = {
  name: 'gap',
  title: 'A gap in the messages of the engine',
  begins: 'the next MsgSeqNum(34) of the engine is one higher than the desk expects',
  engine:
    'Keeps back TestRequest(1) CERT-3A and sends TestRequest(1) CERT-3B with the number after it. Answers ResendRequest(2) with a gap fill. Then sends TestRequest(1) CERT-3C.',
  desk: 'Sends ResendRequest(2) from the missing number, to 0 or to the last number that is missing. Accepts the SequenceReset(4) with GapFillFlag(123)=Y that follows. Answers CERT-3C, and does not request the same again.',
  checks: {
    requested: 'ResendRequest(2): BeginSeqNo(7) is the missing number, EndSeqNo(16) is 0 or not below it',
    recovered: 'The TestRequest(1) after the gap fill is answered by Heartbeat(0): the desk counts on from there',
    once: 'The gap is requested once',
  },
  independent: true,
  async run(run) {
    const from = run.cursor;
    const isLost = ({ view }: WireMessage) => view.string(Tag.TestReqID) === 'CERT-3A';
    run.relay.withholds = isLost;
    run.testRequest('CERT-3A');
    const lost = await run.next('engine', ['1'], isLost);
    run.relay.withholds = () => false;
    run.testRequest('CERT-3B');
    const request = await run.desk('2');
    const [begin, end] = [request.view.int(Tag.BeginSeqNo), request.view.int(Tag.EndSeqNo)];
    const isRight = begin === numberOf(lost) && (end === 0 || (end ?? -1) >= numberOf(lost));
    run.judge('requested', isRight, `${numberOf(lost)} is missing, and the desk requests 7=${begin} 16=${end}`);
    await run.next('engine', ['4'], isResent);
    run.testRequest('CERT-3C');
    await run.heartbeat('CERT-3C');
    run.judge('recovered', true);
    const requests = run.log.messages.slice(from).filter((one) => one.from === 'desk' && typeOf(one) === '2');
    run.judge('once', requests.length === 1, `${requests.length} requests`);
  },
};

const ADMIN = new Set(['A', '0', '1', '2', '3', '5']);

export const RESEND: Step = {
  name: 'resend',
  title: 'A gap in the messages of the desk',
  begins: 'ResendRequest(2) from the engine',
  engine: 'Sends ResendRequest(2) with BeginSeqNo(7)=1 and EndSeqNo(16)=0: everything that the desk has sent.',
  desk: 'Answers with every number from 1 to its last: SequenceReset(4) with GapFillFlag(123)=Y in place of session messages, and its application messages again, or gap-filled where they are out of date. Each carries PossDupFlag(43)=Y; a message that is sent again carries OrigSendingTime(122).',
  checks: {
    complete: 'Resent messages and gap fills cover every number from 1 to the last one before the request, in order',
    admin: 'No session message but SequenceReset(4) is sent again',
  },
  independent: true,
  async run(run) {
    const last = run.rules.next - 1;
    const from = run.log.messages.length;
    run.session().send('2', [
      [Tag.BeginSeqNo, 1],
      [Tag.EndSeqNo, 0],
    ]);
    run.session().flush();
    let at = from;
    let next = 1;
    await run.until(() => {
      for (; at < run.log.messages.length; at++) {
        const message = run.log.messages[at]!;
        if (message.from !== 'desk' || !isResent(message)) continue;
        const type = typeOf(message);
        run.judge('admin', !ADMIN.has(type), nameOf(run, message));
        if (numberOf(message) > next)
          run.judge('complete', false, `${next} is left out before ${nameOf(run, message)}`);
        const end = type === '4' ? (message.view.int(Tag.NewSeqNo) ?? 0) : numberOf(message) + 1;
        next = Math.max(next, end);
      }
      return next > last ? next : undefined;
    }, `not all of 1 to ${last}: the answer ends before ${next}`);
    run.judge('complete', true);
    run.judge('admin', true);
    run.cursor = at;
  },
};

export const RENEWAL: Step = {
  name: 'renewal',
  title: 'A new token',
  begins: 'UserResponse(BF) with ErrorCode(20011)=TOKEN_EXPIRING',
  engine: 'Announces the end of the token: UserResponse(BF) with UserStatus(926)=1 and TOKEN_EXPIRING.',
  desk: 'Sends UserRequest(BE) with UserRequestType(924)=1, Username(553) and Password(554), takes AuthToken(20001) of the answer, and uses it in its next request: OrderStatusRequest(H) for the order of step 10.',
  checks: {
    request: 'UserRequest(BE): UserRequestType(924)=1, Username(553) and Password(554) of this run',
    renewed: 'The engine answers with UserStatus(926)=1 and a new AuthToken(20001)',
    used: 'The next request carries the new token',
    status: 'The engine answers that request',
  },
  async run(run) {
    run.engine.announceExpiry(true);
    await run.next('engine', ['BF'], ({ view }) => view.string(Tag.ErrorCode) === 'TOKEN_EXPIRING');
    run.engine.announceExpiry(false);
    const request = await run.desk('BE');
    const { clientKey, clientSecret, tokenOnRequest } = run.engine;
    const { view } = request;
    const isRight =
      view.string(Tag.UserRequestType) === '1' &&
      view.string(Tag.Username) === clientKey &&
      view.string(Tag.Password) === clientSecret;
    run.judge('request', isRight, '924 is not 1, or 553 or 554 is not of this run');
    const answer = await run.answer(
      request,
      ['BF'],
      (one) => one.view.string(Tag.UserRequestID) === view.string(Tag.UserRequestID),
    );
    const token = answer.view.string(Tag.AuthToken);
    run.judge('renewed', token !== undefined, refusalOf(answer));
    const asked = await run.next('desk', WITH_TOKEN, (message) => !message.repeated);
    const used = asked.view.string(Tag.AuthToken) ?? (tokenOnRequest === 'session' ? token : undefined);
    const why = used === undefined ? 'AuthToken(20001) is missing' : 'AuthToken(20001) is another one';
    run.judge('used', used === token, `${nameOf(run, asked)}: ${why}`);
    const answered = await run.answer(asked, ['8', 'W', 'S', 'AI', 'Y', 'AG', 'AQ'], () => true);
    run.judge('status', !['Y', 'AG', '3', 'j'].includes(typeOf(answered)), refusalOf(answered));
  },
};

/** Requests of a desk that carry AuthToken(20001). */
const WITH_TOKEN = ['V', 'R', 'D', 'H', 'AJ', 'a', 'Z', 'AD', 'AF', 'q'];

export const LOGOUT: Step = {
  name: 'logout',
  title: 'Logout',
  begins: 'the request of step 11 is answered',
  engine: 'Answers Logout(5) with Logout(5) and closes the connection.',
  desk: 'Sends Logout(5), waits for the answer, and does not connect again.',
  checks: {
    first: 'The desk sends Logout(5) before it closes the connection',
    closed: 'After the answer of the engine the connection ends',
  },
  async run(run) {
    run.mayClose = true;
    const from = run.cursor;
    const isOver = () => {
      const index = run.find('desk', ['5'], () => true, from);
      return index >= 0 || run.isDisconnected ? index : undefined;
    };
    const index = await run.until(isOver, 'no Logout(5) from the desk');
    run.judge('first', index >= 0, 'the connection ended without one');
    if (index < 0) return;
    run.cursor = from;
    await run.next('engine', ['5']);
    await run.until(() => run.isDisconnected || undefined, 'the connection is not closed');
    run.judge('closed', true);
  },
};

/** Why the engine has rejected a request, in its own words. */
export function refusalOf({ view }: WireMessage): string {
  const code = view.string(Tag.ErrorCode);
  return `${view.msgType}: ${view.string(Tag.Text) ?? view.string(Tag.UserStatusText) ?? 'no text'}${code ? ` (${code})` : ''}`;
}
