/** The client's trading state, and its own stop: shapes, reference texts and routes. */
import { z } from 'zod';
import { TRADING_STATES } from '../../../engine/domain/risk/trading-state.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Routes } from '../routes.js';
import { choiceField, textField, utc } from '../shapes.js';

const SET_BY = ['', 'client', 'operator'] as const;

const STATE_RESPONSE = z
  .strictObject({
    state: choiceField(TRADING_STATES, 'ACTIVE; REDUCING: only deals that lower your exposure; HALTED: none', 'HALTED'),
    since: textField('When it was set; empty while ACTIVE', '2026-11-20T08:01:00.000Z'),
    by: choiceField(SET_BY, 'Who set it: your own request, or us; empty while ACTIVE', 'client'),
  })
  .meta({ id: 'TradingState', description: 'Whether the client may deal' });

function stateBody({ state, sinceMs, by }: OutputOf<'readTradingState'>): z.infer<typeof STATE_RESPONSE> {
  return { state, since: sinceMs === undefined ? '' : utc(sinceMs), by: by ?? '' };
}

export const TRADING_ROUTES = {
  readTradingState: {
    method: 'get',
    path: '/api/v1/trading/state',
    limit: 'reads',
    input: () => ({}),
    response: STATE_RESPONSE,
    reference: {
      tag: 'Trading',
      summary: 'Read your trading state',
      description:
        'The state that is set for your company. While it is HALTED, rates, holds, conversions and payments that need a conversion are rejected with TRADING_HALTED.',
      example: {},
    },
    body: stateBody,
    names: {},
  },
  haltTrading: {
    method: 'post',
    path: '/api/v1/trading/halt',
    limit: 'writes',
    input: (_request, body) => ({ reason: body?.reason }),
    response: STATE_RESPONSE,
    reference: {
      tag: 'Trading',
      summary: 'Stop all your trading',
      description:
        'Halts your company at once, over REST and at every FIX session: no rate, no hold, no conversion. Streams lose their prices, and holds of FIX sessions are withdrawn. Only we can resume it. The same call again changes nothing and has the same answer. A body is optional.',
      example: { reason: 'orders without end' },
      fields: { reason: 'Why, for the operator who has to resume it' },
    },
    body: stateBody,
    names: { reason: 'reason' },
  },
} satisfies Partial<Routes>;
