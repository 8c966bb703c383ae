/** A real Chromium, where there is one, and a page of it that is logged in. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** CHROMIUM_BIN, or the first on the PATH. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_BIN;
  if (given) return existsSync(given) ? given : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

export const NO_CHROMIUM =
  'No Chromium on the PATH, and none named by CHROMIUM_BIN: the page is not looked at in a browser.';

export function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium does not sandbox what root runs, and says no instead.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained about, and requests to anywhere else. */
  readonly faults: string[];
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

export async function openPage(browser: Browser, base: string, options: BrowserContextOptions): Promise<Opened> {
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
