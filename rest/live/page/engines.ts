/** Engines, their providers, and the desks that are logged on to them. */
import { announce } from './announce.js';
import { serverNow } from './connection.js';
import { byId } from './dom.js';
import { ageText, bytesText } from './format.js';
import type { Engine, EngineSession } from './messages.js';
import { type Column, Table } from './table.js';

interface Provider {
  readonly key: string;
  readonly name: string;
  readonly up: boolean;
  readonly ticks: number;
  readonly ageMs: number;
  readonly perSecond: number | undefined;
}

interface Session extends EngineSession {
  readonly key: string;
  readonly where: string;
  /** Since the last update. */
  readonly conflatedNow: number;
}

/** A provider that is silent for longer is shown as silent. */
const SILENT_MS = 5_000;
/** A desk that has not taken so much is behind. */
const BACKLOG_BYTES = 1;

const PROVIDERS: readonly Column<Provider>[] = [
  { name: 'Provider', text: (row) => row.name, value: (row) => row.name },
  {
    name: 'State',
    text: (row) => (row.up ? '● up' : '○ down'),
    value: (row) => Number(row.up),
    alert: (row) => (row.up ? '' : '!'),
  },
  {
    name: 'Ticks/s',
    isNumber: true,
    text: (row) => (row.perSecond === undefined ? '–' : row.perSecond.toLocaleString('en')),
    value: (row) => row.perSecond ?? -1,
  },
  {
    name: 'Last tick',
    isNumber: true,
    text: (row) => (row.ageMs < 0 ? 'never' : ageText(row.ageMs)),
    value: (row) => row.ageMs,
    alert: (row) => (row.ageMs > SILENT_MS ? '!' : ''),
  },
];

const SESSIONS: readonly Column<Session>[] = [
  { name: 'CompID', text: (row) => row.compId, value: (row) => row.compId },
  { name: 'Client', text: (row) => row.clientId, value: (row) => row.clientId },
  {
    name: 'Backlog',
    isNumber: true,
    text: (row) => bytesText(row.backlogBytes),
    value: (row) => row.backlogBytes,
    alert: (row) => (row.backlogBytes >= BACKLOG_BYTES ? '!' : ''),
  },
  {
    name: 'Conflated',
    isNumber: true,
    text: (row) => row.conflated.toLocaleString('en'),
    value: (row) => row.conflated,
    alert: (row) => (row.conflatedNow > 0 ? '▲' : ''),
  },
  { name: 'Streams', isNumber: true, text: (row) => String(row.streams), value: (row) => row.streams },
  {
    name: 'Out/in',
    isNumber: true,
    text: (row) => `${row.nextOut}/${row.nextIn}`,
    value: (row) => row.nextOut,
  },
];

const ENGINES: readonly Column<Engine>[] = [
  { name: 'Engine', text: (row) => row.where, value: (row) => row.where },
  {
    name: 'Feed',
    text: (row) => (row.feed === 'runs' ? 'runs it' : 'follows'),
    value: (row) => row.feed,
  },
  {
    name: 'State',
    text: (row) => (row.draining ? 'draining' : 'taking desks'),
    value: (row) => Number(row.draining),
    alert: (row) => (row.draining ? '!' : ''),
  },
  { name: 'Desks', isNumber: true, text: (row) => String(row.sessions.length), value: (row) => row.sessions.length },
  {
    name: 'Up for',
    isNumber: true,
    text: (row) => ageText(serverNow() - row.startedAtMs),
    value: (row) => -row.startedAtMs,
  },
];

export class EnginePanels {
  readonly #providers = new Table(table('providers'), PROVIDERS, ({ key }) => key, [0, false]);
  readonly #sessions = new Table(table('sessions'), SESSIONS, ({ key }) => key, [2, true]);
  readonly #engines = new Table(table('engines'), ENGINES, ({ engineId }) => engineId, [0, false]);
  readonly #before = new Map<string, { ticks: number; atMs: number; up: boolean }>();
  readonly #conflated = new Map<string, number>();

  take(engines: readonly Engine[]): void {
    const providers = this.#providersOf(engines);
    this.#providers.draw(providers);
    const sessions = engines.flatMap((engine) => engine.sessions.map((session) => this.#sessionOf(engine, session)));
    this.#sessions.draw(sessions);
    this.#engines.draw(engines);
    const down = providers.filter(({ up }) => !up).length;
    const behind = sessions.filter(({ backlogBytes }) => backlogBytes >= BACKLOG_BYTES).length;
    const none = sessions.length === 0 ? 'no desk is logged on' : `${sessions.length} logged on`;
    const notes = {
      providers: down > 0 ? `${down} of ${providers.length} down` : `${providers.length} up`,
      sessions: behind > 0 ? `${sessions.length} logged on, ${behind} behind` : none,
      engines: `${engines.length} up`,
    };
    for (const [panel, text] of Object.entries(notes))
      byId(`${panel}-sub`).textContent = engines.length === 0 ? 'no engine answers' : text;
    const live = new Set(sessions.map(({ key }) => key));
    for (const key of this.#conflated.keys()) if (!live.has(key)) this.#conflated.delete(key);
  }

  /** Those that have a provider themselves; who follows the relay has what they have. */
  #providersOf(engines: readonly Engine[]): Provider[] {
    const running = engines.filter(({ feed }) => feed === 'runs');
    const nowMs = performance.now();
    return (running.length > 0 ? running : engines).flatMap(({ engineId, providers }) =>
      providers.map(({ name, up, ticks, ageMs = -1 }) => {
        const key = `${engineId} ${name}`;
        const before = this.#before.get(key);
        const seconds = before ? (nowMs - before.atMs) / 1_000 : 0;
        const perSecond = before && seconds > 0 ? Math.max(0, Math.round((ticks - before.ticks) / seconds)) : undefined;
        if (before && before.up !== up) announce(`Provider ${name} is ${up ? 'up' : 'down'}`);
        this.#before.set(key, { ticks, atMs: nowMs, up });
        return { key, name, up, ticks, ageMs, perSecond };
      }),
    );
  }

  #sessionOf({ engineId, where }: Engine, session: EngineSession): Session {
    const key = `${engineId} ${session.compId}`;
    const before = this.#conflated.get(key) ?? session.conflated;
    this.#conflated.set(key, session.conflated);
    return { ...session, key, where, conflatedNow: session.conflated - before };
  }
}

const table = (id: string): HTMLTableElement => byId<HTMLTableElement>(id);
