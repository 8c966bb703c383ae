import { redact, redactor, SECRET_TAGS, splitMessages } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { message } from '../session/session-peer.js';

const soh = (text: string): string => text.replaceAll('|', '\x01');

function redacted(text: string, tags: Iterable<number> = SECRET_TAGS): string {
  const bytes = Buffer.from(text, 'latin1');
  redactor(tags)(bytes, 0, bytes.length);
  return bytes.toString('latin1').replaceAll('\x01', '|');
}

test.each([
  ['a password', '35=A|553=user|554=secret|925=newer|108=30|', '35=A|553=user|554=******|925=*****|108=30|'],
  ['at the start and at the end', '554=a|58=x|554=b', '554=*|58=x|554=*'],
  ['an empty value', '554=|58=x|', '554=|58=x|'],
  ['an encrypted password by its length', '1401=5|1402=a|b=c|58=x|', '1401=5|1402=*****|58=x|'],
  ['no tag that ends or begins alike', '1554=a|5540=b|55=4|54=1|', '1554=a|5540=b|55=4|54=1|'],
  ['a value cut off', '35=A|554=sec', '35=A|554=***'],
  ['within garbage', 'xx|554=secret|yy', 'xx|554=******|yy'],
  ['in a text', '58=Invalid Logon 553=user;554=sec ret', '58=Invalid Logon 553=user;554=*******'],
  ['first in a text', 'wrong: 554=secret', 'wrong: 554=******'],
  ['what looks like another secret', '554=a;925=b|925=c|', '554=*******|925=*|'],
])('hides %s', (_, text, wanted) => {
  expect(redacted(soh(text))).toBe(wanted);
});

test('hides data with separators by its length, and at least to the separator where the length is wrong', () => {
  const data = (length: number) => redacted(soh(`95=${length}|96=ab|554=x|cd|58=text|`));
  expect(data(11)).toBe('95=11|96=***********|58=text|');
  expect(data(1)).toBe('95=1|96=**|554=*|cd|58=text|');
  expect(data(999_999_999)).toMatch(/^95=999999999\|96=\*{20}$/);
});

test('hides values in a message that was written with bars', () => {
  expect(redacted('8=FIX.4.4|35=A|554=sec|ret|58=x')).toBe('8=FIX.4.4|35=A|554=*******|58=x');
});

test('hides a secret that looks like several fields, in a message to its separator', () => {
  for (const at of ['554=SECRETPW|58=x', '925=a;554=b|1=c|2=d|', '554=|58=tail']) {
    const tag = at.slice(0, 3);
    const hidden = `${tag}=${'*'.repeat(at.length - 4)}`;
    expect(redact(`8=FIX.4.4\x01${at}\x01108=30\x01`)).toBe(`8=FIX.4.4\x01${hidden}\x01108=30\x01`);
    expect(redact(`${at}\x01`)).toBe(`${hidden}\x01`);
    expect(redact(`8=FIX.4.4\x01${at}`)).toBe(`8=FIX.4.4\x01${hidden}`);
  }
});

test('a text keeps its characters, and hides the tags that it is given', () => {
  expect(redact('8=FIX.4.4|58=Zürich €|554=p4ss|w0rd|141=Y|96=x|y|')).toBe(
    '8=FIX.4.4|58=Zürich €|554=*********|141=Y|96=****',
  );
  expect(redact('20001=tok\x01554=p\x01', [20001])).toBe('20001=***\x01554=p\x01');
});

test('replaces values by the mask that it is given', () => {
  const bytes = Buffer.from(soh('1=ACC-1234|11=X|01=12345678'));
  redactor([1], (all, start, end) => all.fill(0x23, start, end - 4))(bytes, 0, bytes.length);
  expect(bytes.toString()).toBe(soh('1=####1234|11=X|01=####5678'));
});

test('hides the tags that it is given, and keeps every length', () => {
  const text = message('35=A|34=1|49=A|52=20260115-12:00:00|56=B|553=user|554=secret');
  const hidden = redacted(text, [553]);
  expect(hidden).toContain('|553=****|554=secret|');
  expect(hidden.length).toBe(text.length);
});

test('splits whole messages by their length, and passes what is none as one', () => {
  const texts = [
    message('35=0|34=1|49=A|56=B'),
    message('35=1|34=2|49=A|56=B|112=TEST'),
    message('35=0|34=3|49=A|56=B'),
  ];
  const split = (text: string): string[] => {
    const bytes = Buffer.from(`..${text}`, 'latin1');
    const found: string[] = [];
    splitMessages(bytes, 2, bytes.length, (all, start, end) =>
      found.push(Buffer.from(all).toString('latin1', start, end)),
    );
    return found;
  };
  expect(split(texts.join(''))).toEqual(texts);
  expect(split(texts.join('').slice(0, -3))).toEqual([...texts.slice(0, 2), texts[2]!.slice(0, -3)]);
  for (const text of ['garbage', '8=FIX.4.4', '8=FIX.4.4\x019=', '8=FIX.4.4\x019=-5\x0135=0\x01', '\x01\x01\x01'])
    expect(split(text)).toEqual([text]);
});
