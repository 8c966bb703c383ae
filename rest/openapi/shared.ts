/** What several operations have in common, as named components: a reader and a generator see it once. */
import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';

/** Names of components, by the parameter. One that differs from the first of its name stays where it is. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'x-on-behalf-of': 'OnBehalfOf',
  'If-Match': 'IfMatch',
  limit: 'PageLimit',
  cursor: 'PageCursor',
  from: 'CreatedFrom',
  to: 'CreatedTo',
};
/** By the first operation that takes the body. */
const BODIES: Readonly<Record<string, string>> = {
  createPayment: 'PaymentRequest',
  createPayout: 'PayoutRequest',
  cancelConversion: 'QuotedChange',
  sandboxFunding: 'SandboxReason',
};
/** By the field of a body, or of an item in it, that is an object. */
const PARTS: Readonly<Record<string, string>> = { beneficiary: 'BeneficiaryDetails', remitter: 'RemitterDetails' };

type Schema = oas31.SchemaObject;
type Reference = { readonly $ref: string };

interface Operation {
  readonly operationId: string;
  parameters?: (oas31.ParameterObject | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

/** The document with these components, and references to them. */
export function shared(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const whole = structuredClone(document);
  const operations = Object.values(whole.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);

  const given = operations.flatMap(({ parameters = [] }) => parameters as oas31.ParameterObject[]);
  const parameters = new Components(
    'parameters',
    given.map((value) => ({ name: PARAMETERS[value.name], value })),
  );
  for (const one of operations)
    one.parameters &&= one.parameters.map((value) => parameters.refTo(value as oas31.ParameterObject));

  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const json = requestBody?.content['application/json'];
    return json ? [{ json, name: BODIES[operationId] }] : [];
  });
  const fields = bodies.flatMap(({ json }) =>
    [json.schema, ...itemsOf(json.schema)].map((one) => one.properties ?? {}),
  );
  const parts = new Components(
    'schemas',
    fields.flatMap((all) =>
      Object.entries(all).map(([field, value]) => ({ name: PARTS[field], value: value as Schema })),
    ),
    // Which of them are needed, an item leaves to the validation of its batch.
    (one, other) => isDeepStrictEqual(one.properties, other.properties),
  );
  for (const all of fields)
    for (const field of Object.keys(all).filter((name) => name in PARTS))
      all[field] = parts.refTo(all[field] as Schema);
  const requests = new Components(
    'schemas',
    bodies.map(({ json, name }) => ({ name, value: json.schema })),
  );
  for (const { json } of bodies) json.schema = requests.refTo(json.schema);

  const { components = {} } = whole;
  return {
    ...whole,
    components: {
      ...components,
      schemas: { ...components.schemas, ...requests.used, ...parts.used },
      parameters: { ...components.parameters, ...parameters.used },
    },
  };
}

/** The objects in the lists of a body. */
const itemsOf = ({ properties = {} }: Schema): Schema[] =>
  Object.values(properties).flatMap((field) =>
    typeof field === 'object' && 'items' in field ? [field.items as Schema] : [],
  );

/** Of each name the first value, where there is another one like it. */
class Components<Value extends object> {
  readonly used: Record<string, Value> = {};

  constructor(
    private readonly kind: string,
    candidates: readonly { readonly name: string | undefined; readonly value: Value }[],
    private readonly isSame: (one: Value, other: Value) => boolean = isDeepStrictEqual,
  ) {
    for (const { name, value } of candidates) {
      if (name === undefined || name in this.used) continue;
      if (candidates.filter((other) => isSame(other.value, value)).length > 1) this.used[name] = value;
    }
  }

  refTo(value: Value): Value | Reference {
    const found = Object.keys(this.used).find((name) => this.isSame(this.used[name]!, value));
    return found === undefined ? value : { $ref: `#/components/${this.kind}/${found}` };
  }
}
