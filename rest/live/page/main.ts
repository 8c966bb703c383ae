/** The live page: what comes over the stream goes to its part of the page; keys and buttons do the rest. */
import { announce } from './announce.js';
import { Blotter } from './blotter.js';
import { Board } from './board.js';
import { Connection, type ConnectionState } from './connection.js';
import { Details } from './details.js';
import { byId, chips } from './dom.js';
import { EnginePanels } from './engines.js';
import { clockText } from './format.js';
import { listenForKeys } from './keys.js';
import { Latency } from './latency.js';
import { askSession, Login } from './login.js';
import type { Hello, Message, Pulse } from './messages.js';
import { nextTheme } from './theme.js';

const find = byId<HTMLInputElement>('find');
const help = byId<HTMLDialogElement>('keys');

const connection = new Connection({ message: take, changed, loggedOut });
const details = new Details((index) => connection.ask(index));
const board = new Board({
  opened: (pair) => details.open(pair),
  drawn: (pair) => details.draw(pair, board.isCutOff),
});
const engines = new EnginePanels();
const latency = new Latency();
const blotter = new Blotter();
const login = new Login(begin);
let wasLive = false;
let hasGreeted = false;
/** The server's clock, and when it said so by ours. */
let pulse = { now: Date.now(), atMs: performance.now() };

// For measurements from outside: nothing here can be changed by it.
Object.defineProperty(window, 'ratewireDrawn', { get: () => ({ ...board.drawn }) });

void start();

async function start(): Promise<void> {
  const session = await askSession();
  if (session === 'live') begin();
  else login.show(session === 'away' ? 'The server cannot be reached.' : '');
}

function begin(): void {
  login.hide();
  connection.start();
  showView('rates');
}

/** Each message to its part of the page. */
const TAKERS: { readonly [T in Message['t']]: (message: Extract<Message, { t: T }>) => void } = {
  hello: greet,
  p: (prices) => board.take(prices),
  k: beat,
  s: (status) => engines.take(status.engines),
  w: (wire) => latency.take(wire.points),
  b: (rows) => blotter.take(rows),
  h: (history) => details.take(history),
};

function take(message: Message): void {
  (TAKERS[message.t] as (message: Message) => void)(message);
}

function greet(hello: Hello): void {
  document.body.toggleAttribute('data-operator', hello.operator);
  byId('who').textContent = hello.clientId;
  byId('role').hidden = !hello.operator;
  hasGreeted = true;
  details.greet(hello);
  board.offer(hello);
  blotter.sees = hello.sees.blotter;
}

function beat({ now, market, store }: Pulse): void {
  pulse = { now, atMs: performance.now() };
  blotter.serverNow = now;
  const said = byId('market');
  said.hidden = false;
  const text = !store
    ? 'Store away'
    : market === 'open'
      ? 'Market open'
      : market === 'closed'
        ? 'Market closed'
        : 'No prices';
  if (said.textContent === text) return;
  said.textContent = text;
  said.dataset.state = store ? market : 'away';
  if (wasLive) announce(text);
}

function changed(state: ConnectionState, waitS: number, reason: string): void {
  const isLive = state === 'live';
  board.isCutOff = !isLive;
  // Not before the first connection: there is nothing yet that could be stale.
  document.body.toggleAttribute('data-cut-off', !isLive && hasGreeted);
  const pill = byId('connection');
  pill.dataset.state = state;
  byId('connection-text').textContent = isLive ? 'Live' : state === 'waiting' ? 'Cut off' : 'Connecting';
  const banner = byId('banner');
  const isTold = state === 'waiting';
  if (isTold) {
    const why = reason === '' ? 'The server cannot be heard' : reason;
    banner.textContent = `${why}. What is shown is stale. Trying again in ${waitS} s.`;
    banner.hidden = false;
  }
  if (isLive) banner.hidden = true;
  if (isLive && wasLive === false) announce('Connected: prices are live');
  if (isTold && wasLive) announce('Cut off: prices are stale');
  if (isLive || isTold) wasLive = isLive;
}

function loggedOut(reason: string): void {
  details.close();
  board.isCutOff = true;
  login.show(`${reason}. Log in again.`);
}

window.setInterval(() => {
  byId('clock').textContent = `${clockText(pulse.now + performance.now() - pulse.atMs)} UTC`;
}, 1_000);

find.addEventListener('input', () => board.find(find.value));
find.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
  event.preventDefault();
  board.focus();
  if (event.key === 'Enter' && board.current) details.open(board.current);
});
byId('theme').addEventListener('click', () => announce(nextTheme()));
byId('help').addEventListener('click', () => help.showModal());
byId('keys-close').addEventListener('click', () => help.close());
byId('logout').addEventListener('click', async () => {
  connection.stop();
  details.close();
  await login.logOut();
  login.show();
});

const pressTab = chips(byId('tabs'), (name) => {
  document.body.dataset.tab = name;
});

function showView(name: 'rates' | 'blotter' | 'engines'): void {
  pressTab(name);
}

listenForKeys({
  find() {
    showView('rates');
    find.focus();
    find.select();
  },
  move: (key) => board.move(key),
  pin() {
    const pair = board.current;
    if (pair && board.hasFocus) announce(`${pair.symbol} ${board.pin(pair) ? 'pinned' : 'let go'}`);
  },
  back() {
    if (help.open) return help.close();
    if (find.value !== '' || document.activeElement === find) {
      find.value = '';
      board.find('');
      return board.focus();
    }
    if (details.isOpen) details.close();
  },
  view(name) {
    showView(name);
    if (name === 'rates') board.focus();
    else byId(name === 'blotter' ? 'blotter' : 'aside').focus();
  },
  theme: () => announce(nextTheme()),
  help: () => help.showModal(),
});
