/** Funding and payments of the demo client with everything personal in them, in every way that they can end or be refused. */
import { expect } from 'vitest';

/** Personal data in the payments, by name: none may appear in a log, a metric, a file name or an error to another client. */
export const PERSONAL: Readonly<Record<string, string>> = {
  'beneficiary name': 'Quixwood',
  'beneficiary account': '50100098765432',
  'card number': '4111111111111111',
  'wrong card number': '4111111111111112',
  'beneficiary email': 'zerlina@quixwood.example',
  'beneficiary address': '77 Hollowmere Lane',
  'beneficiary telephone': '+919876512345',
  'remitter name': 'Threlkeld',
  'remitter document': '201898765K',
  'deposit account': '0098765432',
  information: 'Rosewater consignment',
  'address of the endpoint': 'hook-for-oystershell',
};

interface Exchange {
  readonly asked: string;
  readonly answered: Response;
}

/** Each answer with what was asked; resolves when the payments have come to rest. */
export async function fundAndPay(rest: string, token: string): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const ask = async (method: string, path: string, body?: object | string): Promise<Response> => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const headers = { authorization: `Bearer ${token}`, ...(text && { 'content-type': 'application/json' }) };
    const answered = await fetch(`http://${rest}/api/${path}`, { method, headers, ...(text && { body: text }) });
    exchanges.push({ asked: `${path} ${text}`, answered: answered.clone() });
    return answered;
  };

  const accounts = (await (await ask('GET', 'v1/account')).json()) as { currency: string; account_number: number }[];
  const account = accounts.find(({ currency }) => currency === 'INR')!.account_number;
  const funding = {
    ...{ request_id: 'F-1', account_number: account, amount: 100, payment_reference: 'Quixwood' },
    instarem_deposit_account: `DBS Bank-${PERSONAL['deposit account']}-INR`,
  };
  await ask('POST', 'v1/fund/create', funding);
  await ask('POST', 'v1/fund/create', { ...funding, amount: 101 });
  for (const bad of [{ amount: 'x' }, { account_number: 123456789018 }, { instarem_deposit_account: '0098765432' }])
    await ask('POST', 'v1/fund/create', { ...funding, request_id: 'F-2', ...bad });
  await ask('GET', 'v1/fund');

  const ids = new Map<string, string>();
  for (const word of ['', 'INFO REQUESTED', 'COMPLIANCE REJECTED', 'RETURNED', 'ERROR', 'COMPLIANCE VERIFICATION']) {
    const body = word.startsWith('C') ? payout(account, word) : payment(account, word);
    const created = await ask('POST', word.startsWith('C') ? 'v2/payouts' : 'v1/payments/create', body);
    const { payment_id } = (await created.json()) as { payment_id: string };
    expect([word, created.status]).toEqual([word, 200]);
    ids.set(word, payment_id);
  }
  await refused(ask, account);

  const until = async (word: string, ...statuses: readonly string[]): Promise<void> => {
    for (let tries = 0; tries < 2_400; tries++) {
      const { status } = (await (await ask('GET', `v1/payments/id/${ids.get(word)}`)).json()) as { status: string };
      if (statuses.includes(status)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`a payment with ${word || 'no word'} did not become ${statuses.join(' or ')}`);
  };
  await until('', 'PAID');
  await until('INFO REQUESTED', 'INFO_REQUESTED');
  await ask('POST', `v1/payments/id/${ids.get('INFO REQUESTED')}/information`, { information: PERSONAL.information });
  await until('COMPLIANCE REJECTED', 'COMPLIANCE_REJECTED');
  await until('RETURNED', 'RETURNED');
  await until('ERROR', 'ERROR', 'PAID', 'COMPLIANCE_APPROVED', 'PG_PROCESSING');
  await ask('POST', `v1/payments/id/${ids.get('COMPLIANCE VERIFICATION')}/cancel`);
  await ask('POST', `v1/payments/id/${ids.get('')}/cancel`);
  await ask('GET', 'v1/payments');
  await ask('GET', `v1/balance/account/${account}/entries`);
  return exchanges;
}

type Ask = (method: string, path: string, body?: object | string) => Promise<Response>;

/** Refusals of every stage. */
async function refused(ask: Ask, account: number): Promise<void> {
  const good = payment(account, '');
  const v2 = payout(account, '');
  const bad = [
    { beneficiary_card_number: PERSONAL['wrong card number'] },
    { beneficiary_account_number: 50100098765432 },
    { routing_code_value_1: PERSONAL['beneficiary account'] },
    { beneficiary_email: PERSONAL['remitter document'] },
    { remitter_country_code: PERSONAL['beneficiary name'] },
    { beneficiary_country_code: PERSONAL['beneficiary account'] },
    { remit_purpose_code: PERSONAL['card number'] },
    { destination_currency: PERSONAL['card number'] },
    { deposit_method: PERSONAL['card number'] },
    { account_number: 123456789018 },
    { transaction_number: good.transaction_number },
    { request_id: PERSONAL['beneficiary email'] },
  ];
  for (const more of bad)
    for (const path of ['v1/payments/create', 'v1/payments/validate'])
      await ask('POST', path, { ...good, request_id: 'R-B', transaction_number: 'T-B', ...more });
  await ask('POST', 'v1/payments/create', good);
  await ask('POST', 'v1/payments/create', JSON.stringify(good).slice(0, -20));
  await ask('POST', 'v2/payouts', v2);
  const other = { ...v2, request_id: 'R-C', transaction_number: 'T-C' };
  await ask('POST', 'v2/payouts', { ...other, beneficiary: [v2.beneficiary] });
  await ask('POST', 'v2/payouts', { ...other, beneficiary: { ...v2.beneficiary, card_number: 4111111111111111 } });
  await ask('POST', 'v2/payouts', { ...other, source_amount: 5 });
  await ask('GET', `v1/payments/reference/${PERSONAL['remitter document']}`);
  await ask('GET', `v1/payments/id/PAY${PERSONAL['beneficiary account']}`);
}

let sent = 0;
const common = () => ({
  ...{
    request_id: `R-${++sent}`,
    transaction_number: `T-${sent}`,
    destination_currency: 'INR',
    destination_amount: 1000,
  },
  ...{ statement_narrative: 'Invoice 417', routing_code_type_1: 'IFSC', routing_code_value_1: 'HDFC0000001' },
});
const beneficiary = (word: string) => ({
  ...{ name: `Zerlina ${PERSONAL['beneficiary name']} ${word}`.trim(), account_type: 'Company', country_code: 'IN' },
  ...{ address: PERSONAL['beneficiary address'], city: 'Mumbai', bank_name: 'HDFC Bank' },
  ...{ account_number: PERSONAL['beneficiary account'], email: PERSONAL['beneficiary email'] },
  ...{ contact_number: PERSONAL['beneficiary telephone'], card_number: PERSONAL['card number'] },
});
const remitter = {
  ...{ name: `Barnaby ${PERSONAL['remitter name']} Pte Ltd`, account_type: 'Company', country_code: 'SG' },
  ...{ identification_type: 'Company Registration No', identification_number: PERSONAL['remitter document'] },
  ...{ address: '1 Raffles Place' },
};
const flat = (prefix: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]));

function payment(account: number, word: string) {
  const parties = { ...flat('beneficiary', beneficiary(word)), ...flat('remitter', remitter) };
  return { ...common(), account_number: account, remit_purpose_code: 'IR01811', ...parties };
}

function payout(account: number, word: string) {
  // Version 2 refuses a card number where no card is paid; version 1 ignores it.
  const { card_number: _, ...named } = beneficiary(word);
  const parties = { beneficiary: named, remitter: { ...remitter, purpose_code: 'IR01811' } };
  return { ...common(), source_account: account, fee_payer: 'OUR', ...parties };
}
