/** The forms of settings: what each accepts, and the fault that says so. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { ADDRESS_LIST } from '../service/core/caller.js';

export const wholeNumber = (from: number, to: number, unit: string) => {
  const accepted = { error: `a whole number from ${from} to ${to}${unit && ` (${unit})`}` };
  return z
    .string()
    .regex(/^\d{1,15}$/, accepted)
    .transform(Number)
    .refine((n) => n >= from && n <= to, accepted);
};
export const port = (fallback: number) => wholeNumber(0, 65_535, '0: any free port').default(fallback);
export const perMinute = (fallback: number) => wholeNumber(0, 1_000_000, 'a minute; 0: no limit').default(fallback);
export const percent = (fallback: number) => {
  const accepted = { error: 'a percentage above 0 and up to 100, such as 2.5' };
  const text = z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/, accepted)
    .transform(Number);
  return text.refine((n) => n > 0 && n <= 100, accepted).default(fallback);
};
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });
export const path = z.string().transform((text) => resolve(text));
/** In place of a certificate's path: a self-signed one, for trials. */
export const GENERATED = 'generated';
export const certificate = z.string().transform((text) => (text === GENERATED ? text : resolve(text)));
/** Host names with commas between them. */
export const hostNames = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,253}(, *[A-Za-z0-9._-]{1,253}){0,31}$/, { error: 'host names with commas between them' })
  .transform((text): readonly string[] => text.split(/, */));
export const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, { error: 'an address or a host name' });

/** Origins of pages, each exactly as a browser sends it. */
export const origins = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((list) => list.length <= 32 && list.every((one) => /^https?:/.test(one) && originOf(one) === one), {
    error: 'origins with commas between them, such as https://app.example.com,http://localhost:3000, at most 32',
  });
const originOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).origin : undefined);

/** Proxies in front of FIX or REST. */
export const proxies = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((list) => ADDRESS_LIST.safeParse(list).success, {
    error: 'addresses or blocks of them, such as 10.0.0.5,10.1.0.0/16,2001:db8::/32, at most 100',
  });

/** The programs that read a setting; `ratewire` is the operator's command line. `npm start` passes its settings on to engine and sidecar. */
export type Reader = 'engine' | 'sidecar' | 'ratewire' | 'npm start';
export const ALL: readonly Reader[] = ['engine', 'sidecar', 'ratewire'];
export const DOORS: readonly Reader[] = ['engine', 'sidecar'];
export const ENGINE: readonly Reader[] = ['engine'];
export const SIDECAR: readonly Reader[] = ['sidecar'];
