/** The routes of rates that are held. */

import type { Routes } from '../route.js';
import {
  LOCK_BY_POST_REFERENCE,
  LOCK_REFERENCE,
  LOCKABLE_RATE_REFERENCE,
  RELEASE_REFERENCE,
} from './lock-references.js';
import {
  HOLD_ANSWER,
  holdBody,
  LOCK_NAMES,
  LOCKABLE_RATE_ANSWER,
  lockableRateBody,
  lockableRateInput,
  lockableRateNames,
  RELEASE_NAMES,
} from './lock-shapes.js';

export const LOCK_ROUTES: Pick<Routes, 'getLockableRate' | 'lockRate' | 'releaseHold'> = {
  getLockableRate: {
    method: 'get',
    path: '/api/v1/lockFx/getFxRate',
    limit: 'reads',
    input: lockableRateInput,
    answers: LOCKABLE_RATE_ANSWER,
    reference: LOCKABLE_RATE_REFERENCE,
    body: lockableRateBody,
    names: lockableRateNames,
  },
  // One offer becomes one hold, however often it is sent: so a GET may write it.
  lockRate: [
    {
      method: 'get',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: ({ query }) => ({ rateSignature: query.rate_signature }),
      answers: HOLD_ANSWER,
      reference: LOCK_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
    },
    {
      method: 'post',
      path: '/api/v1/lockFx/lockFxRate',
      limit: 'writes',
      input: (_request, body) => ({ rateSignature: body?.rate_signature }),
      answers: HOLD_ANSWER,
      reference: LOCK_BY_POST_REFERENCE,
      body: holdBody,
      names: LOCK_NAMES,
    },
  ],
  releaseHold: {
    method: 'post',
    path: '/api/v1/lockFx/releaseFxRate',
    limit: 'writes',
    input: (_request, body) => ({ holdId: body?.fx_hold_id }),
    answers: HOLD_ANSWER,
    reference: RELEASE_REFERENCE,
    body: ({ hold }) => holdBody({ hold: { ...hold, status: 'released' } }),
    names: RELEASE_NAMES,
  },
};
