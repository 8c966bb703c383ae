import { Dictionary, MessageView, validate } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import type { FieldSet } from '../../../engine/node-quickfix-ts/src/dictionary/dictionary.js';
import { sessionDictionary } from '../../../engine/node-quickfix-ts/src/dictionary/session-definitions.js';
import { Protocol } from '../../../engine/node-quickfix-ts/src/session/protocol.js';
import { framed, wire } from '../codec-messages.js';
import { type DictionaryName, readDictionary } from '../dictionaries.js';

const VERSIONS = [
  ['FIX.4.0', 'FIX40'],
  ['FIX.4.1', 'FIX41'],
  ['FIX.4.2', 'FIX42'],
  ['FIX.4.3', 'FIX43'],
  ['FIX.4.4', 'FIX44'],
  ['FIXT.1.1', 'FIXT11'],
] as const satisfies readonly (readonly [string, DictionaryName])[];

/** `tag`, `tag!` when it is required, `tag(...)` with the fields of a group; ascending. */
function membersOf(dictionary: Dictionary, set: FieldSet): string[] {
  const members: string[] = [];
  for (let number = 1; number < set.places.length; number++) {
    const place = set.places[number]!;
    if (place === 0) continue;
    const group = set.groups[place];
    const nested = group === undefined ? '' : `(${membersOf(dictionary, group).join(' ')})`;
    members.push(`${dictionary.tagOf(number)}${set.required.includes(number) ? '!' : ''}${nested}`);
  }
  return members.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

function sectionsOf(dictionary: Dictionary): Record<string, string[]> {
  const messages = ['0', '1', '2', '3', '4', '5', 'A'].map((type) => {
    const { name, isAdmin, body } = dictionary.rules(type)!;
    return [`${name} ${isAdmin}`, membersOf(dictionary, body)] as const;
  });
  return {
    header: membersOf(dictionary, dictionary.header),
    trailer: membersOf(dictionary, dictionary.trailer),
    ...Object.fromEntries(messages),
  };
}

describe.each(VERSIONS)('the definitions of %s', (beginString, name) => {
  test('are those of the public dictionary', () => {
    const own = sectionsOf(sessionDictionary(beginString));
    // That one has no fields in the group of message types.
    const group = '384(372 385 1130 1131 1406 1410)';
    if (beginString === 'FIXT.1.1') own['Logon true'] = own['Logon true']!.filter((member) => member !== group);
    expect(own).toEqual(sectionsOf(readDictionary(name)));
  });

  test('have no application message', () => {
    const own = sessionDictionary(beginString);
    expect([own.hasApplicationMessages, own.knows('D'), own.knows('A')]).toEqual([false, false, true]);
    expect(sessionDictionary(beginString)).toBe(own);
  });
});

const TIME = '20260114-12:00:00';
const HEADER = `34=2|49=A|52=${TIME}|56=B|`;

function fault(message: string, dictionary: Dictionary = sessionDictionary('FIX.4.4')): string {
  const view = new MessageView();
  const bytes = wire(framed(message));
  expect(view.index(bytes, 0, bytes.length), message).toBe(true);
  const found = validate(view, dictionary, { userTags: 'strict' });
  return found === undefined ? 'ok' : `${found.reason} ${found.tag}`;
}

test.each([
  // an application message     reason tag
  [`35=D|${HEADER}1=x|1=y|453=2|448=z|9999=1|58=text|58=text|`, 'ok'],
  [`35=ZZ|${HEADER}`, 'ok'],
  [`35=D|${HEADER}627=1|628=HUB|629=${TIME}|11=x|`, 'ok'],
  [`35=D|${HEADER}627=2|628=HUB|11=x|`, '16 627'],
  [`35=D|${HEADER}11=|`, '4 11'],
  [`35=D|${HEADER}0=x|`, '0 0'],
  [`35=D|${HEADER}43=Q|11=x|`, '6 43'],
  [`35=D|${HEADER}50=x|50=y|11=x|`, '13 50'],
  [`35=D|${HEADER}11=x|50=y|`, '14 50'],
  [`35=D|${HEADER.replace('49=A|', '')}11=x|`, '1 49'],
  // a session message
  [`35=0|${HEADER}112=x|`, 'ok'],
  [`35=0|${HEADER}58=x|`, '2 58'],
  [`35=0|${HEADER}9999=x|`, '0 9999'],
  [`35=A|${HEADER}98=7|108=30|`, '5 98'],
  [`35=A|${HEADER}98=0|108=30|384=1|372=D|385=S|`, 'ok'],
  [`35=A|${HEADER}98=0|`, '1 108'],
])('without another dictionary: %s', (message, expected) => {
  expect(fault(message)).toBe(expected);
});

test('a dictionary of applications alone gets header, trailer and session messages', () => {
  const application = Dictionary.parse(`<fix type='FIX' major='4' minor='4'><header/><trailer/>
    <messages><message name='Ping' msgtype='U1' msgcat='app'><field name='Mood' required='Y'/></message></messages>
    <fields><field number='7001' name='Mood' type='INT'/></fields></fix>`);
  const protocol = new Protocol({ beginString: 'FIX.4.4', dictionary: application });
  const found = (message: string): string => {
    const view = new MessageView();
    const bytes = wire(framed(message));
    expect(view.index(bytes, 0, bytes.length)).toBe(true);
    const violation = protocol.validate(view, undefined, { userTags: 'strict' });
    return violation === undefined ? 'ok' : `${violation.reason} ${violation.tag}`;
  };
  expect(found(`35=U1|${HEADER}7001=1|`)).toBe('ok');
  expect(found(`35=U1|${HEADER}`)).toBe('1 7001');
  expect(found(`35=U1|${HEADER.replace('49=A|', '')}7001=1|`)).toBe('1 49');
  expect(found(`35=0|${HEADER}7001=1|`)).toBe('2 7001');
  expect(found(`35=U2|${HEADER}`)).toBe('11 35');
});
