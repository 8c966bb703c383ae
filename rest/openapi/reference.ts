/** What the OpenAPI document says of a route beyond its schemas. Read by people who write a client of this interface. */
import type { z } from 'zod';

/** In the order of the document, with their meaning. */
export const TAGS = {
  Authentication: 'A token for a client key and its secret; every other operation needs one.',
  Accounts: 'The accounts that the client holds.',
  Balances: 'What is available in them.',
  'Book FX': 'The rate of this moment, and conversions between the client’s own accounts.',
  'Conversion changes':
    'Cancel, move or split a conversion that has not settled: first a quote that binds for 30 seconds, then the command.',
  Trading: 'Whether the client may deal; the client’s own stop.',
  'Lock FX': 'A rate that is held for a while, and then booked or used by a payout.',
  Funding: 'Entries that credit an account.',
  Payments: 'Payments to beneficiaries abroad, and their status.',
  'Sub-clients': 'Clients of a platform, for which it acts with x-on-behalf-of.',
  Webhooks: 'Endpoints that events are sent to, and what came of it.',
  Events: 'What has happened to the client’s resources, in order, without gaps.',
  Beneficiaries: 'Who is paid, stored once and named by payments; and whether an account is in a name.',
  Batches: 'Up to a thousand payments from one account: validated, funded at once, and followed item by item.',
  Reference: 'What a payment needs before it is sent.',
  Sandbox:
    'Outcomes on demand, and a clock of the client’s own. Only where the ports are sandboxes: elsewhere each path answers 404.',
} as const;

export interface Reference {
  readonly tag: keyof typeof TAGS;
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly description: string;
  /** A request as a client sends it: values by their names, nested as in JSON, wherever they are placed. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What a field means, by its name in the interface (`beneficiary.name`); needed where its input schema has no description. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields of our input, by our names (`session`), that this route never fills from the request. */
  readonly hidden?: readonly string[];
  /** A field's second name, and its first. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Of the fields of each list, one at least is needed: a rule that the input schema does not show. */
  readonly needsOneOf?: readonly (readonly string[])[];
  /** A field as it is on the wire, by its name there, where our input has it otherwise or not at all. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** The place of fields that are not in the path; absent: a GET's in the query, a POST's in the body. */
  readonly place?: 'header' | 'query' | 'body';
  /** Fields of a body's route that are in the query all the same. */
  readonly inQuery?: readonly string[];
  /** Absent: a token, but for authentication. */
  readonly security?: 'token or none';
  /** Absent: the operation's name. Needed where one operation has several routes. */
  readonly operationId?: string;
  /** Refusals by 404 and 409 that cannot be seen from path and fields: 404 goes with an id in the path, 409 with an id of the client's. */
  readonly alsoRefused?: readonly (404 | 409)[];
}
