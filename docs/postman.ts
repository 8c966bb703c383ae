/**
 * docs/ratewire.postman_collection.json: every operation of the OpenAPI document as a request of Postman, in an order in which all succeed.
 * Examples are the bodies; ids in them are variables, which the collection's own script takes from the answers.
 */
import type { oas31 } from 'zod-openapi';
import { ON_BEHALF_OF } from '../rest/features/shapes.js';
import { openApiDocument } from '../rest/openapi/document.js';

type Values = Readonly<Record<string, unknown>>;

/** One more request of an operation, which brings about what the next one needs. */
interface Step {
  readonly operation: string;
  readonly name: string;
  /** In place of what the example has. */
  readonly values?: Values;
  /** Repeated until the answer has this status. */
  readonly until?: string;
  /** Variables that its answer gives under other names: `data.0.id`, by variable. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A conversion that has not settled. */
const scheduled = (type: 'SCHEDULED1' | 'SCHEDULED2', values: Values = {}): Step => ({
  operation: 'bookFxByCurrency',
  name: `Book a conversion that settles later, ${type}`,
  values: { book_fx_type: type, ...values },
});

/** With the dollar the next day before one of its holidays is the day of spot too, and there is no other date. */
const WITHOUT_DOLLAR = { buy_currency: 'GBP' };

/** By operation: what is sent before it. */
const BEFORE: Readonly<Record<string, readonly Step[]>> = {
  cancelPayment: [
    {
      operation: 'createPayment',
      name: 'Send a payment that waits for funds',
      values: { destination_amount: 1_400_000 },
    },
  ],
  answerInformation: [
    {
      operation: 'createPayment',
      name: 'Send a payment about which compliance asks',
      values: { beneficiary_name: 'Sharma INFO REQUESTED' },
    },
    { operation: 'readPayment', name: 'Read it until compliance asks', until: 'INFO_REQUESTED' },
  ],
  listEvents: [{ operation: 'createPayment', name: 'Send a payment that makes events' }],
  quoteCancellation: [scheduled('SCHEDULED2')],
  quoteDateChange: [
    {
      operation: 'bookFxByCurrency',
      name: 'Book a conversion, for the date of spot',
      values: WITHOUT_DOLLAR,
      keep: { spot: 'settlement_date' },
    },
    scheduled('SCHEDULED1', WITHOUT_DOLLAR),
  ],
  quoteSplit: [scheduled('SCHEDULED2')],
  sandboxPayment: [
    {
      operation: 'createPayment',
      name: 'Send a payment that the sandbox leaves alone',
      values: { beneficiary_name: 'Sharma MANUAL' },
    },
  ],
  validateBatch: [{ operation: 'addBatchItems', name: 'Add an item again' }],
  cancelBatch: [{ operation: 'createBatch', name: 'Create a batch to cancel' }],
  sandboxFunding: [{ operation: 'createFunding', name: 'Announce money that the sandbox has not decided about' }],
  sandboxConversion: [{ operation: 'bookFxByCurrency', name: 'Book a conversion for the sandbox' }],
};

/** The variable with the sub-client that a run creates, and acts for in every request that can. */
const ACTING_FOR = 'acting_for';
const money = (currency: string, account_number: number, amount: number): readonly Step[] => [
  {
    operation: 'createFunding',
    name: `Announce money for it in ${currency}`,
    values: { account_number, amount, instarem_deposit_account: `DBS Bank-0012345678-${currency}` },
  },
  { operation: 'sandboxFunding', name: `Let it arrive in ${currency}` },
];
/** Behind the token: a client of the run's own, so that the one of the credentials stays as it is, and a run can be repeated. */
const FIRST: readonly Step[] = [
  {
    operation: 'createSubClient',
    name: 'Create a sub-client for this run',
    values: {
      name: 'run-{{$timestamp}}-{{$randomInt}}{{$randomInt}}',
      title: 'Of the collection',
      currencies: ['EUR', 'USD', 'GBP', 'INR'],
    },
    keep: { [ACTING_FOR]: 'sub_client_id' },
  },
  { operation: 'listAccounts', name: 'List its accounts' },
  ...money('EUR', 400_100_000_019, 10_000),
  ...money('USD', 400_100_000_027, 5_000),
  ...money('INR', 400_100_000_035, 400_000),
];

/** They end what the others need: an endpoint, the sub-client's time, its trading, and the token. */
const LAST: readonly string[] = ['removeWebhook', 'advanceSandboxClock', 'haltTrading', 'revokeTokens'];

/** By operation: what an example cannot have, because it is to be new, or an address of this machine, by the name of the field. */
const VALUES: Readonly<Record<string, Values>> = {
  createWebhook: { url: 'http://127.0.0.1:3000/hook' },
  createSubClient: { name: 'shop-{{$timestamp}}-{{$randomInt}}{{$randomInt}}' },
  quoteDateChange: { settlement_date: '{{spot}}' },
  listEvents: { after: 0 },
  replayDeliveries: { from_sequence: 1, to_sequence: 2 },
};

/** By operation: variables that its answer gives under other names, such as the first of a list: `data.0.id`. */
const KEEP: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listEvents: { event_id: 'data.0.id' },
};

/** Of every command: new each time it is sent. */
const NEW: Values = { request_id: '{{$guid}}', transaction_number: '{{$guid}}' };

/** Accounts of the examples, by the currency that they have in all of them. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  400100000019: 'account_eur',
  400100000027: 'account_usd',
  400100000035: 'account_inr',
};
/** The form of our ids. */
const OUR_ID = /^[A-Z]{3}(?=.*\d)[0-9A-Z]{13,}$/;
/** Names of fields whose value comes from an earlier answer, whatever the example looks like. */
const GIVEN = /^(rate_signature|quote_id|fx_hold_id|client_key|client_secret|.*_token)$/;
/** Parts of a path that name no record of ours. */
const WORDS: ReadonlySet<string> = new Set(['currency', 'outcome', 'item_id']);
const GUIDE = `Set base_url, client_key and client_secret as variables of the collection, and run it from the top. npm start prints the address, and
data/demo-client.json has the credentials of the demo client. The client must be a platform: the run
creates a sub-client with money of the sandbox, and acts for it. The last requests remove its endpoint, advance its clock, stop its trading and revoke the
token. Of the client itself it books and changes scheduled conversions alone, and the collection can be run again.`;

interface Found {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: oas31.OperationObject;
}

export function postmanCollection(): string {
  const document = openApiDocument();
  const resolved = (given: oas31.ParameterObject | oas31.ReferenceObject) =>
    '$ref' in given ? document.components!.parameters![given.$ref.split('/').at(-1)!]! : given;
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
      id: operation.operationId!,
      method: method.toUpperCase(),
      path,
      operation: { ...operation, ...(operation.parameters && { parameters: operation.parameters.map(resolved) }) },
    })),
  );
  const named = (id: string): Found => {
    const found = operations.find((one) => one.id === id);
    if (!found) throw new Error(`docs/postman.ts names the operation ${id}, which the document does not have`);
    return found;
  };
  const used = new Set<string>();
  const items = (found: Found) => [
    ...(BEFORE[found.id] ?? []).map((step) => item(named(step.operation), used, step)),
    item(found, used),
  ];
  const folders = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    item: operations.filter(({ id, operation }) => operation.tags?.[0] === name && !LAST.includes(id)).flatMap(items),
  }));
  const own = {
    name: 'A client of its own',
    description: 'What the run deals and pays for.',
    item: FIRST.map((step) => item(named(step.operation), used, step)),
  };
  const last = {
    name: 'At the end',
    description: 'What ends the others.',
    item: LAST.flatMap((id) => operations.filter((one) => one.id === id).flatMap(items)),
  };
  const variables = [...used].filter((name) => !['base_url', 'client_key', 'client_secret'].includes(name)).sort();
  const collection = {
    info: {
      name: document.info.title,
      description: `${document.info.description}\n\n${GUIDE}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [script('test', afterEach(['token', ...variables]))],
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:8080' },
      ...['client_key', 'client_secret', 'token', ...variables].map((key) => ({ key, value: '' })),
    ],
    item: folders
      .filter(({ item }) => item.length > 0)
      .flatMap((one) => (one.name === 'Authentication' ? [one, own] : [one]))
      .concat(last),
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

const script = (listen: string, exec: readonly string[]) => ({ listen, script: { type: 'text/javascript', exec } });

/** Takes ids and the numbers of accounts out of an answer. */
const afterEach = (names: readonly string[]): string[] => [
  `const names = ${JSON.stringify(names)};`,
  "pm.test(pm.info.requestName + ': ' + pm.response.code, () => pm.expect(pm.response.code).to.be.within(200, 299));",
  "const isJson = /json/.test(pm.response.headers.get('content-type') || '');",
  'const answer = isJson && pm.response.code < 300 ? pm.response.json() : {};',
  "const set = (name, value) => names.includes(name) && value !== '' && pm.collectionVariables.set(name, String(value));",
  "for (const name of names) if (typeof answer[name] === 'string') set(name, answer[name]);",
  "for (const one of Array.isArray(answer) ? answer : []) set('account_' + one.currency.toLowerCase(), one.account_number);",
];

const UNTIL_TRIES = 100;
const UNTIL_WAIT_MS = 200;
/** Sends the request again while the answer has another status. */
const again = (status: string): string[] => [
  "const tries = Number(pm.collectionVariables.get('tries') || 0);",
  `const isThere = pm.response.json().status === '${status}';`,
  "pm.collectionVariables.set('tries', isThere ? 0 : tries + 1);",
  `pm.test('it is ${status} in time', () => pm.expect(tries).to.be.below(${UNTIL_TRIES}));`,
  `if (!isThere && tries < ${UNTIL_TRIES}) { setTimeout(() => {}, ${UNTIL_WAIT_MS}); pm.execution.setNextRequest(pm.info.requestName); }`,
];

const kept = (of: Readonly<Record<string, string>>): string[] =>
  Object.entries(of).map(
    ([name, path]) =>
      `pm.collectionVariables.set('${name}', String('${path}'.split('.').reduce((value, part) => value[part], pm.response.json())));`,
  );

function item({ id, method, path, operation }: Found, used: Set<string>, step?: Step) {
  const own = { ...VALUES[id], ...step?.values };
  const keep = step?.keep ?? KEEP[id];
  // A sub-client has no limit for scheduled conversions before the operator sets one.
  const isScheduled = operation.tags?.[0] === 'Conversion changes' || String(own.book_fx_type).startsWith('SCHEDULED');
  const isActing = (name: string): boolean => name === ON_BEHALF_OF && !isScheduled;
  const variable = (name: string): string => {
    used.add(name);
    return `{{${name}}}`;
  };
  const filledFor = (name: string, example: unknown): unknown => {
    const account = ACCOUNTS[String(own[name] ?? example)];
    if (account !== undefined) return variable(account);
    if (name in own && !Array.isArray(own[name])) {
      for (const [, kept] of String(own[name]).matchAll(/\{\{(\w+)\}\}/g)) used.add(kept!);
      return own[name];
    }
    if (name in NEW) return NEW[name];
    if (name === ON_BEHALF_OF) return variable(ACTING_FOR);
    return GIVEN.test(name) || OUR_ID.test(String(example)) ? variable(name) : example;
  };
  const parameters = (operation.parameters ?? []) as readonly oas31.ParameterObject[];
  const placed = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, description = '', required, example }) => ({
        key: name,
        value: String(filledFor(name, example) ?? ''),
        description,
        ...(!(place === 'query' && example !== undefined) && !required && !isActing(name) && { disabled: true }),
      }));
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
      if (name === undefined) return segment;
      const value = String(filledFor(name, parameters.find((one) => one.name === name)?.example));
      return WORDS.has(name) || value.includes('{{') ? value : variable(name);
    });
  const query = placed('query');
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const example = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content['application/json']?.example;
  const headers = placed('header');
  const isOpen = operation.security?.length === 0;
  return {
    name: step?.name ?? operation.summary!,
    ...(step?.until !== undefined && { event: [script('test', again(step.until))] }),
    ...(keep && { event: [script('test', kept(keep))] }),
    request: {
      method,
      description: operation.description,
      ...(isOpen && { auth: { type: 'noauth' } }),
      header: [...(example === undefined ? [] : [{ key: 'content-type', value: 'application/json' }]), ...headers],
      url: {
        raw: `{{base_url}}/${segments.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
        host: ['{{base_url}}'],
        path: segments,
        ...(query.length > 0 && { query }),
      },
      ...(example !== undefined && {
        body: { mode: 'raw', raw: bodyText({ ...example, ...step?.values }, filledFor), options: JSON_BODY },
      }),
    },
  };
}

const JSON_BODY = { raw: { language: 'json' } };

/** The example with its variables; that of a number has no quotes, as the number. */
function bodyText(example: unknown, filledFor: (name: string, example: unknown) => unknown): string {
  const numbers = new Set<string>();
  const filled = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => filled(one, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, key)]));
    const found = filledFor(name, value);
    if (typeof value === 'number' && typeof found === 'string') numbers.add(`"${found}"`);
    return found;
  };
  const text = JSON.stringify(filled(example, ''), undefined, 2);
  return [...numbers].reduce((all, quoted) => all.replaceAll(quoted, quoted.slice(1, -1)), text);
}
