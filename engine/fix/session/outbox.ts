import type { Field, Session } from 'node-quickfix-ts';
import type { Log } from '../../domain/log.js';
import type { OutboxEntry, SessionAccess } from '../../service/sessions/index.js';
import type { Desk } from '../desk.js';

/** A message that tells a desk of what was done elsewhere, or while it was away. */
export interface Told {
  readonly msgType: string;
  readonly fields: readonly Field[];
  /** It tells of something of this session: not sent before. */
  readonly isNew?: boolean;
}

/** What an entry of a kind reads as; undefined: what it told of is gone. */
export type Tellers = Readonly<Record<string, (desk: Desk, data: string) => Promise<Told | undefined>>>;

/** What has been told to one desk of its outbox. */
interface Line {
  readonly desk: Desk;
  /** Everything up to this entry has been dealt with. */
  after: string | undefined;
  /** Entries behind it that were sent already; their removal is under way. */
  readonly sent: Set<string>;
  /** What was there before the logon has been read. */
  hasCaughtUp: boolean;
  isWanted: boolean;
  reading: Promise<void> | undefined;
  lookedAtMs: number;
}

const PAGE = 100;
/** Every desk is looked at so often, rung for or not. */
const LOOK_MS = 10_000;
/** Outboxes read at once: a thousand answers would keep a thousand desks waiting for their tick. */
const SLICE = 50;
/** How long to wait for a desk that is slow to read. */
const SLOW_MS = 20;

/**
 * Tells each desk what its outbox has for it: entries that the step that moved the money wrote, without a number yet. They are read after
 * the logon, when somebody rings, and now and then. An entry leaves the store in the step that stores its message; until then it is told
 * once on each session.
 */
export class Outbox {
  /** By CompID. */
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly sessions: Pick<SessionAccess, 'isStoreUp' | 'readOutbox' | 'dropOutboxEntry'>,
    private readonly log: Log,
    private readonly tellers: Tellers,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {}

  /** The desk is logged on, and its numbers stand. */
  opened(desk: Desk): void {
    const line: Line = {
      desk,
      after: undefined,
      sent: new Set(),
      hasCaughtUp: false,
      isWanted: false,
      reading: undefined,
      lookedAtMs: this.elapsedMs(),
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

  /** An answer that has an entry of its own; it stays there for the next logon when the desk has gone. */
  send(compId: string, fields: readonly Field[], entryId: string): void {
    const line = this.lines.get(compId);
    if (line?.desk.session.loggedOn && claim(line, entryId)) line.desk.session.send('8', fields, entryId);
  }

  /** Reads what there is for the desk by now. */
  async drain(compId: string): Promise<void> {
    const line = this.lines.get(compId);
    if (line) await this.read(line);
  }

  /** Called once a second: desks that have not been looked at for long, a tenth of all at most, and those that could not be. */
  async look(): Promise<void> {
    if (!this.sessions.isStoreUp()) return;
    const nowMs = this.elapsedMs();
    const due = [...this.lines.values()].filter((line) => line.isWanted || nowMs - line.lookedAtMs >= LOOK_MS);
    due.sort((a, b) => a.lookedAtMs - b.lookedAtMs);
    due.length = Math.min(due.length, Math.max(SLICE, Math.ceil(this.lines.size / 10)));
    for (let at = 0; at < due.length; at += SLICE) {
      await Promise.all(due.slice(at, at + SLICE).map((line) => this.read(line)));
    }
  }

  /** One reader for each desk: whoever asks meanwhile has it read once more. */
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
        line.lookedAtMs = this.elapsedMs();
        await this.readOnce(line);
      } while (line.isWanted && session.loggedOn);
    } catch (error) {
      // The store is away, or has just been: the next look reads again.
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
        await this.tell(line, entry);
        if (!session.loggedOn) return;
        line.after = entry.id;
      }
      if (page.length < PAGE) break;
      await untilRead(session);
    }
    // What was sent before and has not been seen again has left the outbox.
    for (const id of sentBefore) line.sent.delete(id);
    line.hasCaughtUp = true;
  }

  private async tell(line: Line, { id, kind, data }: OutboxEntry): Promise<void> {
    const { desk } = line;
    const teller = this.tellers[kind];
    // A kind that a newer engine knows is left to it.
    if (line.sent.has(id) || teller === undefined) return;
    const told = await teller(desk, data);
    if (told === undefined) {
      const { compId, shard } = desk.identity;
      return this.sessions.dropOutboxEntry(compId, shard, id);
    }
    if (!desk.session.loggedOn || !claim(line, id)) return;
    const mayBeKnown = !line.hasCaughtUp && !told.isNew;
    desk.session.send(told.msgType, mayBeKnown ? [[97, 'Y'], ...told.fields] : told.fields, id);
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
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

/** Until the desk has taken what it was sent, or is gone. */
async function untilRead(session: Session): Promise<void> {
  while (session.congested && session.loggedOn) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
}
