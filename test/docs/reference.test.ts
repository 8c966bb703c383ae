/** The generated pages are what the programs go by now. */
import { expect, test } from 'vitest';
import { REFERENCE_PAGES } from '../../docs/reference.js';
import { REFUSAL_CODES } from '../../engine/domain/core/refusal.js';
import { readConfig } from '../../engine/wiring/config.js';
import { SETTINGS } from '../../engine/wiring/settings.js';
import { filesEndingIn, read } from '../tidy/tree.js';

test.each(Object.entries(REFERENCE_PAGES))('docs/%s is as the source has it: else run `npm run docs`', (name, page) => {
  expect(read(`docs/${name}`)).toBe(page());
});

test('every file of the client types is one of them: delete what `npm run docs` no longer writes', () => {
  const folder = 'rest/client/src/openapi/';
  const files = filesEndingIn('.ts').filter((file) => file.startsWith(folder));
  const written = Object.keys(REFERENCE_PAGES).map((name) => name.replace('../', ''));
  expect(files).toEqual(written.filter((name) => name.startsWith(folder)).sort());
});

test('documents every setting and every refusal once', () => {
  const named = (page: string) => [...read(page).matchAll(/^\|(?: \d+ \|)? `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  const settings = Object.values(SETTINGS).flatMap((chapter) => Object.keys(chapter));
  expect(named('docs/configuration.md')).toEqual(settings);
  expect(settings).toEqual(expect.arrayContaining(Object.keys(readConfig({}))));
  expect(named('docs/refusals.md')).toEqual(REFUSAL_CODES);
});
