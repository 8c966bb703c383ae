/** A platform's sub-clients: shapes, reference texts and routes. */
import { z } from 'zod';
import { BOOK_FX_TYPES } from '../../../engine/domain/money/value-date.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Body } from '../../http/body.js';
import type { Reference } from '../../openapi/reference.js';
import { listInput, page, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import { choiceField, currencyField, flagField, type Names, numberField, textField, utc, utcField } from '../shapes.js';

type SubClient = OutputOf<'readSubClient'>;

const NAMES: Names = {
  pair: 'pair',
  margin: 'margin',
  id: 'sub_client_id',
  title: 'title',
  defaultType: 'default_type',
  name: 'name',
};

const SUB_CLIENT = z
  .strictObject({
    sub_client_id: textField('Its id: what x-on-behalf-of names', 'acme~shop-1', 64),
    title: textField('Its name, for people', 'Shop One GmbH'),
    default_type: choiceField(BOOK_FX_TYPES, 'Type of a conversion that names none', 'PREFUNDING'),
    disabled: flagField('It is refused everywhere', false),
    currencies: z
      .array(currencyField('A currency that it has an account in', 'EUR'))
      .meta({ description: 'Currencies that it has accounts in', examples: [['EUR', 'USD']] }),
    created_at: utcField('When it was created'),
  })
  .meta({ id: 'SubClient', description: 'A client of the platform' });

const LIST_RESPONSE = page(SUB_CLIENT, 'SubClientList', 'Sub-clients of the platform, in order of their ids');

function subClientBody({ client, currencies }: SubClient): z.infer<typeof SUB_CLIENT> {
  const { id, name, defaultType, disabled, createdAtMs } = client;
  return {
    sub_client_id: id,
    title: name,
    default_type: defaultType,
    disabled,
    currencies: [...currencies],
    created_at: utc(createdAtMs),
  };
}

function changeInput({ title, default_type: defaultType, disabled, currencies }: Body = {}): object {
  return { title, defaultType, disabled, currencies };
}

type Margin = OutputOf<'setSubClientMargin'>;

const MARGIN = z
  .strictObject({
    sub_client_id: textField('The sub-client, or * for all that have no margin of their own', 'acme~shop-1', 64),
    pair: textField('Pair in market convention, or *', 'EUR/USD', 7),
    margin: numberField('What is added to your own margin, percent', 0.1),
  })
  .meta({ id: 'SubClientMargin', description: 'What a platform adds to its own margin' });

const MARGINS_RESPONSE = z.array(MARGIN).meta({ description: 'Margins of the sub-client, in order of pairs' });

const marginBody = ({ id, pair, marginPpm }: Margin): z.infer<typeof MARGIN> => ({
  sub_client_id: id,
  pair,
  margin: marginPpm / 10_000,
});

const MARGIN_ID = { sub_client_id: 'Id of the sub-client; * for all that have no margin of their own' };

const ID_FIELD = { sub_client_id: 'Id of the sub-client, as its creation has answered it' };

const CREATE_REFERENCE: Reference = {
  tag: 'Sub-clients',
  summary: 'Create a sub-client',
  description:
    'For platforms. The new client has accounts, balances, margins, limits and webhooks of its own, and is dealt for with the header `x-on-behalf-of`. The same name again is answered by 409 CLIENT_EXISTS. A platform has 10,000 sub-clients at most.',
  example: { name: 'shop-1', title: 'Shop One GmbH', default_type: 'PREFUNDING', currencies: ['EUR', 'USD'] },
  alsoRefused: [409],
};

export const SUB_CLIENT_ROUTES = {
  createSubClient: {
    method: 'post',
    path: '/api/v1/sub-clients',
    limit: 'writes',
    input: (_request, body) => ({ name: body?.name, ...changeInput(body) }),
    response: SUB_CLIENT,
    reference: CREATE_REFERENCE,
    body: subClientBody,
    names: NAMES,
    lists: ['currencies'],
  },
  listSubClients: {
    method: 'get',
    path: '/api/v1/sub-clients',
    limit: 'reads',
    input: listInput,
    response: LIST_RESPONSE,
    reference: {
      tag: 'Sub-clients',
      summary: 'List your sub-clients',
      description: 'For platforms. In order of their ids.',
      example: { limit: 50 },
    },
    body: pageBody(subClientBody),
    names: {},
  },
  readSubClient: {
    method: 'get',
    path: '/api/v1/sub-clients/:sub_client_id',
    limit: 'reads',
    input: ({ params }) => ({ id: params.sub_client_id }),
    response: SUB_CLIENT,
    reference: {
      tag: 'Sub-clients',
      summary: 'Read a sub-client',
      description: 'For platforms. One of another platform is answered as an unknown one.',
      example: { sub_client_id: 'acme~shop-1' },
      fields: ID_FIELD,
    },
    body: subClientBody,
    names: NAMES,
  },
  changeSubClient: {
    method: 'patch',
    path: '/api/v1/sub-clients/:sub_client_id',
    limit: 'writes',
    input: ({ params }, body) => ({ id: params.sub_client_id, ...changeInput(body) }),
    response: SUB_CLIENT,
    reference: {
      tag: 'Sub-clients',
      summary: 'Change a sub-client',
      description:
        'For platforms. What is left out stays. `currencies` has all currencies that it shall have accounts in: new ones are opened, and a list that lacks one of them is refused, because accounts are not closed here. A disabled sub-client is refused everywhere: its own tokens and FIX sessions end, and `x-on-behalf-of` with its id is answered by 403. One that we have disabled is enabled by us alone: WRONG_STATE.',
      example: {
        sub_client_id: 'acme~shop-1',
        title: 'Shop One AG',
        disabled: false,
        currencies: ['EUR', 'USD', 'GBP'],
      },
      fields: ID_FIELD,
    },
    body: subClientBody,
    names: NAMES,
    lists: ['currencies'],
    booleans: ['disabled'],
  },
  listSubClientMargins: {
    method: 'get',
    path: '/api/v1/sub-clients/:sub_client_id/margins',
    limit: 'reads',
    input: ({ params }) => ({ id: params.sub_client_id }),
    response: MARGINS_RESPONSE,
    reference: {
      tag: 'Sub-clients',
      summary: 'List the margins of a sub-client',
      description: 'For platforms. What you add for this sub-client, not what applies to all of them.',
      example: { sub_client_id: 'acme~shop-1' },
      fields: MARGIN_ID,
    },
    body: ({ margins }) => margins.map(marginBody),
    names: NAMES,
  },
  setSubClientMargin: {
    method: 'post',
    path: '/api/v1/sub-clients/:sub_client_id/margins',
    limit: 'writes',
    input: ({ params }, body) => ({ id: params.sub_client_id, pair: body?.pair, margin: body?.margin }),
    response: MARGIN,
    reference: {
      tag: 'Sub-clients',
      summary: 'Set a margin of a sub-client',
      description:
        'For platforms. It is added to your own margin, in prices, holds and quotes alike, within a second. The nearest applies: that of the sub-client before that of all, within these that of the pair before that of all pairs. Its part of the margin of each conversion is credited to you with the conversion: docs/platforms.md. At most 1,000.',
      example: { sub_client_id: 'acme~shop-1', pair: 'EUR/USD', margin: 0.1 },
      fields: MARGIN_ID,
    },
    body: marginBody,
    names: NAMES,
    numbers: ['margin'],
  },
  removeSubClientMargin: {
    method: 'delete',
    path: '/api/v1/sub-clients/:sub_client_id/margins',
    limit: 'writes',
    input: ({ params, query }) => ({ id: params.sub_client_id, pair: query.pair }),
    response: MARGIN,
    reference: {
      tag: 'Sub-clients',
      summary: 'Remove a margin of a sub-client',
      description: 'For platforms. The next nearest applies; without one nothing is added.',
      example: { sub_client_id: 'acme~shop-1', pair: 'EUR/USD' },
      fields: MARGIN_ID,
      place: 'query',
    },
    body: marginBody,
    names: NAMES,
  },
} satisfies Partial<Routes>;
