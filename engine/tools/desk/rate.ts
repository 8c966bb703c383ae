/** `npm run rate`: one rate over REST as the demo client, by the two requests that any program would send. */
import path from 'node:path';
import { shownJson } from '../../cli/unshown.js';
import { type DeskCredentials, readCredentials } from './credentials.js';

const USAGE = `Shows the demo client's rate for one conversion, over REST.

  npm run rate -- [sell] [buy]      currencies; default EUR USD

The credentials are those of demo-client.json in the data directory (DATA_DIR, else ./data).
Exit codes: 0 a rate, 1 refused or nothing listens, 2 wrong usage.`;
const TIMEOUT_MS = 5_000;

const [sell = 'EUR', buy = 'USD', ...more] = process.argv.slice(2).map((currency) => currency.toUpperCase());
const isHelp = sell === '--HELP';
if (isHelp || more.length > 0) end(isHelp ? 0 : 2, USAGE);
const credentials = readCredentials(path.resolve(process.env.DATA_DIR || 'data', 'demo-client.json'));
if (credentials instanceof Error) end(1, credentials.message);
await show(credentials);

async function show({ rest, clientKey, clientSecret }: DeskCredentials): Promise<void> {
  const query = new URLSearchParams({ sell_currency: sell, buy_currency: buy });
  try {
    const headers = { client_key: clientKey, client_secret: clientSecret };
    const authenticated = await ask('POST', `http://${rest}/api/v1/authentication`, headers);
    if (typeof authenticated.token !== 'string') return fail(authenticated);
    const bearer = { authorization: `Bearer ${authenticated.token}` };
    const rate = await ask('GET', `http://${rest}/api/v1/bookfx/rate?${query}`, bearer);
    return rate.fx_rate === undefined ? fail(rate) : end(0, text(rate));
  } catch {
    end(1, `Nothing answers on ${rest}: run npm start first`);
  }
}

async function ask(method: string, url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  process.stderr.write(`${method} ${url}\n`);
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as Record<string, unknown>;
}

/** The problem document as it came: it says what to do. */
function fail(problem: Record<string, unknown>): void {
  end(1, text(problem));
}

function text(body: Record<string, unknown>): string {
  return shownJson(JSON.stringify(body, undefined, 2));
}

function end(code: number, line: string): never {
  (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  process.exit(code);
}
