import type { Field, Session } from 'node-quickfix-ts';
import type { Booking } from '../../domain/conversions/booking.js';
import type { Log } from '../../domain/core/log.js';
import * as Tag from '../../domain/fix/tags.js';
import type { OutboxEntry, SessionAccess } from '../../service/sessions/index.js';
import type { Desk } from '../desk.js';
import { amendedReport, bookedReport, childReport } from '../orders/execution-report.js';
import type { OpenOrders } from '../orders/orders.js';
import { renderHoldExpired } from '../quotes/quote-status.js';

/** A message about an event of another session or of REST, or of a time when the desk was not logged on. */
export interface OutboundMessage {
  readonly msgType: string;
  readonly fields: readonly Field[];
  /** It is about an event of this session: not sent before. */
  readonly isNew?: boolean;
}

/** Renders an entry, by kind; undefined: its subject no longer exists. */
export type OutboxRenderers = Readonly<
  Record<string, (desk: Desk, data: string) => Promise<OutboundMessage | undefined>>
>;

/** Progress of one desk in its outbox. */
interface Line {
  readonly desk: Desk;
  /** Every entry up to this one is processed. */
  after: string | undefined;
  /** Entries behind it that are sent; their removal is in progress. */
  readonly sent: Set<string>;
  /** The entries from before the logon have been read. */
  hasCaughtUp: boolean;
  isWanted: boolean;
  reading: Promise<void> | undefined;
  readAtMs: number;
}

const PAGE = 100;
/** Every outbox is read this often, notified or not. */
const REREAD_MS = 10_000;
/** Outboxes read at once: a thousand replies in one event-loop turn would delay every desk's prices. */
const SLICE = 50;
/** How often a congested desk is checked. */
const SLOW_MS = 20;

/**
 * Sends each desk the entries of its outbox. The step that moved the money wrote them, without a number. They are read after the logon, at
 * a notification, and periodically. An entry leaves the store in the step that stores its message; until then it is sent once on each
 * session.
 */
export class Outbox {
  /** By CompID. */
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly sessions: Pick<SessionAccess, 'isStoreUp' | 'readOutbox' | 'dropOutboxEntry'>,
    private readonly log: Log,
    private readonly renderers: OutboxRenderers,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {}

  /** The desk is logged on, and its sequence numbers are set. */
  opened(desk: Desk): void {
    const line: Line = {
      desk,
      after: undefined,
      sent: new Set(),
      hasCaughtUp: false,
      isWanted: false,
      reading: undefined,
      readAtMs: this.elapsedMs(),
    };
    this.lines.set(desk.identity.compId, line);
    void this.read(line);
  }

  closed(desk: Desk): void {
    const { compId } = desk.identity;
    if (this.lines.get(compId)?.desk === desk) this.lines.delete(compId);
  }

  deskOf(compId: string): Desk | undefined {
    return this.lines.get(compId)?.desk;
  }

  /** Sends a report that has an entry; where the desk is not logged on, the entry stays for its next logon. */
  send(compId: string, fields: readonly Field[], entryId: string): void {
    const line = this.lines.get(compId);
    if (line?.desk.session.loggedOn && claim(line, entryId)) line.desk.session.send('8', fields, entryId);
  }

  /** Reads the desk's entries now. */
  async drain(compId: string): Promise<void> {
    const line = this.lines.get(compId);
    if (line) await this.read(line);
  }

  /** Called once a second: reads the outboxes that are due, at most a tenth of all, and those whose last read failed. */
  async onTimer(): Promise<void> {
    if (!this.sessions.isStoreUp()) return;
    const nowMs = this.elapsedMs();
    const due = [...this.lines.values()].filter((line) => line.isWanted || nowMs - line.readAtMs >= REREAD_MS);
    due.sort((a, b) => a.readAtMs - b.readAtMs);
    due.length = Math.min(due.length, Math.max(SLICE, Math.ceil(this.lines.size / 10)));
    for (let at = 0; at < due.length; at += SLICE) {
      await Promise.all(due.slice(at, at + SLICE).map((line) => this.read(line)));
    }
  }

  /** One reader for each desk: a request during a read has it read once more. */
  private async read(line: Line): Promise<void> {
    line.isWanted = true;
    if (!this.sessions.isStoreUp()) return;
    line.reading ??= this.readAll(line);
    await line.reading;
  }

  private async readAll(line: Line): Promise<void> {
    const { session, identity } = line.desk;
    try {
      do {
        line.isWanted = false;
        line.readAtMs = this.elapsedMs();
        await this.readOnce(line);
      } while (line.isWanted && session.loggedOn);
    } catch (error) {
      // A store outage: the next timer reads again.
      line.isWanted = true;
      const fault = error instanceof Error ? error.name : 'unknown';
      this.log.warn({ compId: identity.compId, fault }, 'an outbox could not be read; trying in a second');
    } finally {
      line.reading = undefined;
    }
  }

  private async readOnce(line: Line): Promise<void> {
    const { session, identity } = line.desk;
    const sentBefore = [...line.sent];
    for (;;) {
      const page = await this.sessions.readOutbox(identity.compId, identity.shard, line.after, PAGE);
      for (const entry of page) {
        await this.deliver(line, entry);
        if (!session.loggedOn) return;
        line.after = entry.id;
      }
      if (page.length < PAGE) break;
      await untilRead(session);
    }
    // An entry that was sent before and is not there any more has left the outbox.
    for (const id of sentBefore) line.sent.delete(id);
    line.hasCaughtUp = true;
  }

  private async deliver(line: Line, { id, kind, data }: OutboxEntry): Promise<void> {
    const { desk } = line;
    const render = this.renderers[kind];
    // An entry of a kind of a newer release is left to a newer engine.
    if (line.sent.has(id) || render === undefined) return;
    const message = await render(desk, data);
    if (message === undefined) {
      const { compId, shard } = desk.identity;
      return this.sessions.dropOutboxEntry(compId, shard, id);
    }
    if (!desk.session.loggedOn || !claim(line, id)) return;
    const { msgType, fields, isNew } = message;
    const isPossResend = !line.hasCaughtUp && !isNew;
    desk.session.send(msgType, isPossResend ? [[Tag.PossResend, 'Y'], ...fields] : fields, id);
  }
}

/** False when the entry has been sent on this session already. */
function claim(line: Line, id: string): boolean {
  if (line.sent.has(id) || (line.after !== undefined && !isBehind(id, line.after))) return false;
  line.sent.add(id);
  return true;
}

/** Ids of entries are `<ms>-<number>`. */
function isBehind(id: string, other: string): boolean {
  const later = Number.parseInt(id, 10) - Number.parseInt(other, 10);
  return later > 0 || (later === 0 && numberIn(id) > numberIn(other));
}

const numberIn = (id: string): number => Number(id.slice(id.indexOf('-') + 1));

/** Waits until the desk has read what it was sent, or is logged out. */
export async function untilRead(session: Session): Promise<void> {
  while (session.congested && session.loggedOn) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
}

/** Renders the kinds of outbox entries as FIX messages. */
export function outboxRenderers(
  sessions: Pick<SessionAccess, 'booking' | 'hold'>,
  orders: OpenOrders,
): OutboxRenderers {
  const moneyOf = ({ identity }: Desk) => ({ id: identity.caller.clientId, shard: identity.shard });

  const report = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const booking = await sessions.booking(moneyOf(desk), id);
    if (booking === undefined) return undefined;
    const open = orders.get(desk.identity.caller.clientId, booking.requestId);
    if (open?.compId !== desk.identity.compId)
      return { msgType: '8', fields: routed(booking, bookedReport(booking, 'trade', desk.identity.priceShown)) };
    open.isReported = true;
    // Booked before this order was received: the desk has resent it, and another engine may have reported it.
    const isNew = booking.createdAtMs >= open.receivedAtMs;
    return {
      msgType: '8',
      fields: [...open.order.route, ...bookedReport(booking, 'trade', desk.identity.priceShown, open.order)],
      isNew,
    };
  };
  const copy = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const booking = await sessions.booking(moneyOf(desk), id);
    return booking && { msgType: '8', fields: bookedReport(booking, 'copy', desk.identity.priceShown) };
  };
  const hold = async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
    const held = await sessions.hold(moneyOf(desk), id);
    return held && renderHoldExpired(desk, held);
  };
  const amended =
    (isCopy: boolean) =>
    async (desk: Desk, data: string): Promise<OutboundMessage | undefined> => {
      const [id = '', number] = data.split(' ');
      const booking = await sessions.booking(moneyOf(desk), id);
      const fields = booking && amendedReport(booking, Number(number), isCopy);
      return fields && { msgType: '8', fields: isCopy ? fields : routed(booking, fields) };
    };
  const child =
    (isCopy: boolean) =>
    async (desk: Desk, id: string): Promise<OutboundMessage | undefined> => {
      const booking = await sessions.booking(moneyOf(desk), id);
      const fields = booking && childReport(booking, isCopy);
      return fields && { msgType: '8', fields: isCopy ? fields : routed(booking, fields) };
    };
  return {
    report,
    'drop-copy': copy,
    amendment: amended(false),
    'amendment-copy': amended(true),
    child: child(false),
    'child-copy': child(true),
    'hold-expired': hold,
    'hold-withdrawn': hold,
  };
}

/** A report to the session that booked it. */
const routed = ({ route = [] }: Booking, fields: readonly Field[]): readonly Field[] => [...route, ...fields];
