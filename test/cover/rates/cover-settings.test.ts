/** What COVER_SESSIONS accepts, and that what it refuses names no credential. */
import { expect, test } from 'vitest';
import { coverSettings } from '../../../engine/rates/cover/cover-session.js';

test.each([
  ['http://x', /fix:\/\//],
  ['fix://127.0.0.1:1?sender=A&target=B&reset=Y', /never reset/],
  ['fix://127.0.0.1:1?sender=FXENGINE&target=B', /desks/],
  ['fix://127.0.0.1:1?sender=A&target=B&provider=X,fix://127.0.0.1:2?sender=A&target=C&provider=X', /twice/],
  ['fix://127.0.0.1:1?sender=A&target=B&provider=X,fix://127.0.0.1:2?sender=A&target=B&provider=Y', /same CompIDs/],
  ['fix://u:hush@127.0.0.1:1?sender=A&target=B&trades=1', /trades/],
])('COVER_SESSIONS=%s is refused', (setting, text) => {
  expect(() => coverSettings(setting)).toThrow(text);
  expect(() => coverSettings(setting)).not.toThrow(/hush/);
});
