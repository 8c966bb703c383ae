/** A real Chromium, where there is one, a page of it that is logged in, and the real programs behind it. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Pair } from '../../engine/domain/money/pair.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../wiring/launcher.js';
import { type Provider, startProvider } from './provider.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** CHROMIUM_BIN, or the first on the PATH. */
function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_BIN;
  if (given) return existsSync(given) ? given : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** Undefined where there is none, and a line that says so: the page is not tested in a browser then. */
export const executable = findChromium();
if (executable === undefined)
  process.stdout.write(
    'No Chromium on the PATH, and none named by CHROMIUM_BIN: the page is not tested in a browser.\n',
  );

export function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium does not sandbox what root runs, and says no instead.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

export interface LiveRun {
  readonly provider: Provider;
  readonly launcher: Launcher;
  readonly browser: Browser;
  /** Where the page is served. */
  readonly base: string;
  readonly demo: DemoClient;
  stop(): Promise<void>;
}

/** Engine, sidecar and store by the launcher, with prices of these pairs from a provider of the test's, so often a second. */
export async function startLiveRun(
  pairs: readonly Pair[],
  start: (pair: Pair) => number,
  perSecond: number,
): Promise<LiveRun> {
  const directory = temporaryDirectory();
  const provider = await startProvider(pairs, start);
  const launcher = launch(directory.path, { FEED: provider.feed });
  provider.walk(perSecond);
  const base = `http://${(await launcher.ready).rest}`;
  const browser = await launchChromium(executable!);
  return {
    provider,
    launcher,
    browser,
    base,
    demo: demoClient(directory.path),
    async stop() {
      await browser.close();
      launcher.process.kill('SIGINT');
      await launcher.ended;
      await provider.close();
      directory.remove();
    },
  };
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained about, and requests to anywhere else. */
  readonly faults: string[];
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

export async function openPage(
  { browser, base }: Pick<LiveRun, 'browser' | 'base'>,
  options: BrowserContextOptions,
): Promise<Opened> {
  const page = await (await browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(base).host) faults.push(`asked for ${request.url()}`);
  });
  await page.goto(`${base}/live`);
  return { page, faults };
}

export async function logInTo({ page }: Opened, key: string, secret: string): Promise<void> {
  await page.fill('#client-key', key);
  await page.fill('#client-secret', secret);
  await page.click('#login-form button[type=submit]');
}

export const tile = (symbol: string): string => `#tiles li[data-symbol="${symbol}"] .tile`;
