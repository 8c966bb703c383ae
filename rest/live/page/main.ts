/** The live page: what comes over the stream goes to its part of the page; keys and buttons do the rest. */
import { announce } from './announce.js';
import { Blotter } from './blotter.js';
import { Board } from './board.js';
import { Connection, type ConnectionState, serverNow, setServerNow } from './connection.js';
import { Details } from './details.js';
import { byId, chips, keep, kept, Text } from './dom.js';
import { EnginePanels } from './engines.js';
import { clockText } from './format.js';
import { listenForKeys } from './keys.js';
import { Latency } from './latency.js';
import { askSession, Login } from './login.js';
import type { Hello, Message, Pulse } from './messages.js';
import { RiskPanels } from './risk.js';
import { nextTheme } from './theme.js';

/** Why the form is there, kept while the page is loaded again. */
const REASON = 'reason';

const find = byId<HTMLInputElement>('find');
const help = byId<HTMLDialogElement>('keys');

const connection = new Connection({ message: take, changed, loggedOut });
const details = new Details((index) => connection.ask(index));
const board = new Board({
  opened: (pair) => details.open(pair),
  drawn: (pair, isOutdated) => details.draw(pair, isOutdated),
});
const engines = new EnginePanels();
const latency = new Latency();
const risk = new RiskPanels();
const blotter = new Blotter();
const login = new Login(begin);
const bannerText = new Text();
byId('banner-text').append(bannerText.node);
/** Added to the banner after a logout that could not be. */
let stillIn = '';
let wasLive = false;
/** Whom this page shows something of; '' before that. */
let greeted = '';

// For measurements from outside: nothing here can be changed by it.
Object.defineProperty(window, 'ratewireDrawn', { get: () => ({ ...board.drawn }) });

void start();

async function start(): Promise<void> {
  const reason = kept(REASON);
  keep(REASON, '');
  // When the server does not answer now, the connection finds out.
  if ((await askSession()) !== 'none') begin();
  else login.show(reason);
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
  r: (figures) => risk.take(figures),
};

function take(message: Message): void {
  (TAKERS[message.t] as (message: Message) => void)(message);
}

function greet(hello: Hello): void {
  const viewer = JSON.stringify([hello.clientId, hello.operator, hello.sees]);
  // Another login replaced this page's while it was disconnected.
  if (greeted !== '' && greeted !== viewer) {
    leave('');
    return;
  }
  greeted = viewer;
  document.body.toggleAttribute('data-operator', hello.operator);
  byId('who').textContent = hello.clientId;
  byId('role').hidden = !hello.operator;
  byId('sandbox').hidden = hello.sandbox.length === 0;
  byId('sandbox').title = `A sandbox decides: ${hello.sandbox.join(', ')}`;
  details.greet(hello);
  board.offer(hello);
  blotter.sees = hello.sees.blotter;
}

/** Prices that are no market's have the colour of a warning. */
function showFeed(feed: readonly string[]): void {
  const badge = byId('feed');
  const text = `Feed: ${feed.join(', ')}`;
  if (badge.textContent === text) return;
  badge.hidden = feed.length === 0;
  badge.textContent = text;
  badge.dataset.state = feed.every((kind) => kind === 'market') ? 'open' : 'warn';
}

function beat({ now, market, store, feed }: Pulse): void {
  setServerNow(now);
  latency.tick();
  showFeed(feed);
  const badge = byId('market');
  badge.hidden = false;
  const text = !store
    ? 'Store away'
    : market === 'open'
      ? 'Market open'
      : market === 'closed'
        ? 'Market closed'
        : 'No prices';
  if (badge.textContent === text) return;
  badge.textContent = text;
  badge.dataset.state = store ? market : 'away';
  if (wasLive) announce(text);
}

function changed(state: ConnectionState, waitS: number, reason: string): void {
  const isLive = state === 'live';
  board.isCutOff = !isLive;
  // Not before the first connection: there is nothing yet that could be stale.
  document.body.toggleAttribute('data-cut-off', !isLive && greeted !== '');
  const pill = byId('connection');
  pill.dataset.state = state;
  byId('connection-text').textContent = isLive ? 'Live' : state === 'waiting' ? 'Cut off' : 'Connecting';
  const isWaiting = state === 'waiting';
  if (isWaiting) {
    const why = reason === '' ? 'The server does not answer' : reason;
    showBanner(`${why}. What is shown is stale.${stillIn}`, `Trying again in ${waitS} s.`);
  }
  if (isLive) {
    byId('banner').hidden = true;
    stillIn = '';
  }
  if (isLive && wasLive === false) announce('Connected: prices are live');
  if (isLive || isWaiting) wasLive = isLive;
}

/** The text is read aloud when it is another one; what follows it is not. */
function showBanner(text: string, more = ''): void {
  bannerText.set(text);
  byId('banner-wait').textContent = more;
  byId('banner').hidden = false;
}

function loggedOut(reason: string): void {
  leave(`${reason}. Log in again.`);
}

/** Reloads the page, so that nothing of the last user is left for the next one. */
function leave(reason: string): void {
  connection.stop();
  keep(REASON, reason);
  location.reload();
}

window.setInterval(() => {
  byId('clock').textContent = `${clockText(serverNow())} UTC`;
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
  if (await login.logOut()) {
    leave('');
    return;
  }
  stillIn = ' This browser is still logged in: log out again when the page is live.';
  showBanner(`The server cannot be reached.${stillIn}`);
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
    else byId(name === 'blotter' ? 'blotter-scroll' : 'aside').focus();
  },
  theme: () => announce(nextTheme()),
  help: () => help.showModal(),
});
