import { Dictionary, MessageView, validate } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { framed, wire } from './codec-messages.js';

const dictionary = Dictionary.parse(`<fix major='4' minor='4'>
  <header><field name='BeginString' required='Y'/><field name='BodyLength' required='Y'/><field name='MsgType' required='Y'/>
    <field name='MsgSeqNum' required='Y'/></header>
  <trailer><field name='CheckSum' required='Y'/></trailer>
  <messages><message name='Order' msgtype='D' msgcat='app'>
    <field name='ClOrdID' required='Y'/><field name='Text' required='N'/>
    <group name='NoParties' required='N'><field name='PartyID' required='Y'/><field name='Text' required='N'/>
      <field name='Role' required='N'/><group name='NoSubs' required='N'><field name='SubID' required='Y'/><field name='Role' required='N'/></group></group>
    <field name='Symbol' required='N'/><field name='Role' required='N'/><field name='Time' required='N'/>
    <group name='NoLegs' required='N'><field name='Symbol' required='Y'/><field name='Time' required='N'/></group>
  </message></messages><components/>
  <fields>
    <field number='8' name='BeginString' type='STRING'/><field number='9' name='BodyLength' type='LENGTH'/>
    <field number='35' name='MsgType' type='STRING'/><field number='34' name='MsgSeqNum' type='SEQNUM'/>
    <field number='10' name='CheckSum' type='STRING'/><field number='11' name='ClOrdID' type='STRING'/>
    <field number='58' name='Text' type='STRING'/><field number='453' name='NoParties' type='NUMINGROUP'/>
    <field number='448' name='PartyID' type='STRING'/><field number='802' name='NoSubs' type='NUMINGROUP'/>
    <field number='523' name='SubID' type='STRING'/><field number='452' name='Role' type='INT'/>
    <field number='55' name='Symbol' type='STRING'/><field number='555' name='NoLegs' type='NUMINGROUP'/>
    <field number='60' name='Time' type='UTCTIMESTAMP'/>
  </fields></fix>`);

function view(body: string, isValidated = true): MessageView {
  const indexed = new MessageView();
  const bytes = wire(framed(`35=D|34=1|${body}`));
  expect(indexed.index(bytes, 0, bytes.length)).toBe(true);
  if (isValidated) expect(validate(indexed, dictionary, { userTags: 'ignore' })).toBeUndefined();
  return indexed;
}

const PARTIES = '453=2|448=A|58=in A|802=2|523=a1|452=7|523=a2|448=B|452=9|802=1|523=b1|452=8|';

test('a reader of the body does not find a field of a group', () => {
  const order = view(`11=o1|${PARTIES}555=1|55=LEG|60=20260114-12:00:00|`);
  expect([order.string(58), order.int(452), order.has(55), order.time(60)]).toEqual([
    undefined,
    undefined,
    false,
    Number.NaN,
  ]);
  expect([order.string(11), order.int(453), order.string(10)?.length]).toEqual(['o1', 2, 3]);
  // Any field, wherever it is.
  expect(order.stringAt(order.find(58))).toBe('in A');
  const copy = order.copy();
  expect([copy.string(58), copy.groups(555)[0]!.string(55)]).toEqual([undefined, 'LEG']);
});

test('and finds that of the body before, between or behind the groups', () => {
  const order = view(`11=o1|58=of the order|${PARTIES}55=EUR/USD|452=3|555=1|55=LEG|`);
  expect([order.string(58), order.string(55), order.int(452)]).toEqual(['of the order', 'EUR/USD', 3]);
});

test('an entry has its own fields, and not those of groups within it or behind it', () => {
  const order = view(`11=o1|${PARTIES}55=EUR/USD|452=3|555=2|55=L1|55=L2|60=20260114-12:00:00|`);
  const [a, b] = order.groups(453);
  expect([a!.string(448), a!.string(58), a!.int(452), a!.has(523)]).toEqual(['A', 'in A', undefined, false]);
  expect([b!.string(448), b!.string(58), b!.int(452), b!.has(55)]).toEqual(['B', undefined, 9, false]);
  expect(a!.groups(802).map((sub) => [sub.string(523), sub.int(452)])).toEqual([
    ['a1', 7],
    ['a2', undefined],
  ]);
  expect(b!.groups(802).map((sub) => [sub.string(523), sub.int(452)])).toEqual([['b1', 8]]);
  expect(order.groups(555).map((leg) => [leg.string(55), leg.time(60)])).toEqual([
    ['L1', Number.NaN],
    ['L2', Date.UTC(2026, 0, 14, 12)],
  ]);
  expect([order.groups(999), a!.groups(555)]).toEqual([[], []]);
});

test('a user tag behind the last entry is found by both readers', () => {
  const order = view('11=o1|555=1|55=LEG|20001=token|');
  expect([order.string(20001), order.groups(555)[0]!.string(20001)]).toEqual(['token', 'token']);
  const inside = view('11=o1|555=2|55=L1|20001=of L1|55=L2|');
  expect([inside.string(20001), inside.groups(555)[0]!.string(20001)]).toEqual([undefined, 'of L1']);
});

test('a group without entries hides nothing', () => {
  const order = view('11=o1|453=0|58=of the order|55=X|');
  expect([order.string(58), order.groups(453)]).toEqual(['of the order', []]);
});

test('a view that is used again knows nothing of the message before', () => {
  const used = view(`11=o1|${PARTIES}`);
  const bytes = wire(framed('35=D|34=1|11=o2|58=a|802=1|523=x|452=1|'));
  used.index(bytes, 0, bytes.length);
  expect([used.string(58), used.string(523), used.int(452)]).toEqual(['a', 'x', 1]);
});

test('without a dictionary the first field with the tag is read, wherever it is', () => {
  const order = view(`11=o1|${PARTIES}`, false);
  expect([order.string(58), order.int(452), order.groups(453)[1]!.string(523)]).toEqual(['in A', 7, 'b1']);
});
