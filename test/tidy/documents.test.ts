/**
 * Documents agree with the code: links lead to files, pages and comments name files that exist, and the rules of engagement name what the
 * FIX gateway can answer and the dictionary's fields.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REFUSALS } from '../../engine/domain/core/refusal.js';
import { textsOfLua, textsOfTypeScript } from './comments.js';
import { fileNamed, filesEndingIn, ROOT, read } from './tree.js';

const RULES = read('fix-config/rules-of-engagement.md');

describe('links', () => {
  test.each(filesEndingIn('.md'))('%s', (file) => {
    const broken = linksOf(file).filter((link) => !leadsSomewhere(file, link));
    expect(broken).toEqual([]);
  });

  test('the README has links', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(4);
  });
});

test('docs/platforms.md has the cost of a booking that docs/scale.md has measured', () => {
  const [, own = '', shared = ''] =
    /\| of their own \|.*\| (\d+ us) \|\n.*one platform \|.*\| (\d+ us) \|/.exec(read('docs/scale.md')) ?? [];
  const [, perSecond = ''] =
    new RegExp(`carries ([\\d,]+) bookings.*\\(estimate: 1 s / ${shared}\\)`).exec(read('docs/scale.md')) ?? [];
  const [, claimed = ''] = /## How much\n([\s\S]*)/.exec(read('docs/platforms.md')) ?? [];
  expect(claimed.match(/\d+ us/g)).toEqual([shared, own, shared]);
  expect(claimed).toContain(`${perSecond} bookings a second`);
});

/** Targets of `[text](target)` outside of code. */
function linksOf(file: string): string[] {
  const prose = read(file)
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target));
}

function leadsSomewhere(from: string, target: string): boolean {
  const [page = '', anchor] = target.split('#', 2);
  const file = page === '' ? from : path.join(path.dirname(from), page);
  if (!existsSync(path.join(ROOT, file))) return false;
  return anchor === undefined || headingsOf(file).includes(anchor);
}

/** Anchors as the usual viewers make them. */
function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (page) => {
  const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[\w-]+\.(?:md|json))`/g)].map(([, file]) => file!);

  test('names files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});

describe('files that are named without their whole path exist', () => {
  const files = filesEndingIn('');
  const isMissing = (name: string): boolean => {
    const end = name.replace(/^(\.\.?\/)+/, '');
    return !files.some((file) => file === end || file.endsWith(`/${end}`));
  };

  test.each(filesEndingIn('README.md').filter((file) => /^(engine|rest)\//.test(file)))('in %s', (file) => {
    const named = [...read(file).matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:ts|lua|txt|csv))`/g)].map(([, name]) => name!);
    expect(named.filter(isMissing)).toEqual([]);
  });

  test('in comments', () => {
    const named = filesEndingIn('.ts', '.lua').flatMap((file) => {
      const texts = file.endsWith('.lua') ? textsOfLua(read(file)) : textsOfTypeScript(read(file));
      const comments = texts.filter(({ text }) => /^(\/[/*]|--)/.test(text));
      return comments.flatMap(({ text }) =>
        [...text.matchAll(/(?<![\w*/.-])(?:[\w.-]+\/)*[\w-]+\.(?:test\.)?(?:ts|lua)\b/g)].map(([name]) => ({
          file,
          name,
        })),
      );
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => isMissing(name))).toEqual([]);
  });
});

describe('the rules of engagement', () => {
  // Sources of the codes in ErrorCode(20011). logon.ts only logs its codes: on the wire it has one text.
  const sources = [
    ...filesEndingIn('.ts').filter((file) => /^engine\/fix\//.test(file) && !/\/(refusals|logon)\.ts$/.test(file)),
    ...['tokens', 'caller', 'perform', 'operation'].map((name) => fileNamed(`${name}.ts`, 'engine/service')),
  ];

  test('document every refusal that FIX can send', () => {
    const codes = new Set(
      sources.flatMap((file) => [...read(file).matchAll(/'([A-Z][A-Z_]+)'/g)].map(([, code]) => code!)),
    );
    const sent = [...codes].filter((code) => code in REFUSALS).sort();
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter((code) => !RULES.includes(`\`${code}\``))).toEqual([]);
  });

  test('name no refusal that does not exist', () => {
    const [, refusals = ''] = RULES.split('\n## Refusals\n');
    const named = [...refusals.split('\n## ')[0]!.matchAll(/^\|.*\|.*\|(.*)\|$/gm)].flatMap(([, cell]) => [
      ...cell!.matchAll(/`([A-Z_]+)`/g),
    ]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, code]) => code!).filter((code) => !(code in REFUSALS))).toEqual([]);
  });

  const dictionary = new Map(
    [...read('fix-config/FIX44-ratewire.xml').matchAll(/<field number='(\d+)' name='(\w+)'/g)].map(([, tag, name]) => [
      tag!,
      name!,
    ]),
  );

  test('have each custom field as the dictionary has it', () => {
    const [, block = ''] = RULES.split('\n## Our own fields\n');
    const rows = [...block.split('\n## ')[0]!.matchAll(/^\| (20\d{3}) \| (\w+) \|/gm)].map(([, tag, name]) => [
      tag!,
      name!,
    ]);
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.filter(([tag, name]) => dictionary.get(tag!) !== name)).toEqual([]);
    const mentioned = new Set([...RULES.matchAll(/\b(20\d{3})\b(?!-)/g)].map(([, tag]) => tag!));
    expect([...mentioned].filter((tag) => tag !== '20000' && !dictionary.has(tag))).toEqual([]);
  });

  test('call every field by its name in the dictionary', () => {
    const named = [...RULES.matchAll(/\b([A-Z][A-Za-z]+)\((\d{1,5})\)/g)].map(([, name, tag]) => [tag!, name!]);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(([tag, name]) => dictionary.get(tag!) !== name && !isMessage(name!, tag!))).toEqual([]);
  });

  /** Heartbeat(0) to Logout(5) are messages. */
  function isMessage(name: string, type: string): boolean {
    return new RegExp(`<message name='${name}'[^>]*msgtype='${type}'`).test(read('fix-config/FIX44-ratewire.xml'));
  }
});
