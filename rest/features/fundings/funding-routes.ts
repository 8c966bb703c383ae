/** The routes of fundings. */
import { replayHeaders } from '../book-fx/book-fx-shapes.js';
import { FUNDINGS_REFERENCE } from '../list-references.js';
import { FUNDINGS_ANSWER, fundingsBody, listInput } from '../list-shapes.js';
import type { Routes } from '../route.js';
import { CREATE_FUNDING_REFERENCE, FUNDING_REFERENCE } from './funding-references.js';
import {
  CREATED_FUNDING_ANSWER,
  createdFundingBody,
  FUNDING_ANSWER,
  FUNDING_NAMES,
  FUNDING_NUMBERS,
  fundingBody,
  fundingInput,
} from './funding-shapes.js';

export const FUNDING_ROUTES: Pick<Routes, 'createFunding' | 'readFunding' | 'listFundings'> = {
  createFunding: {
    method: 'post',
    path: '/api/v1/fund/create',
    limit: 'writes',
    input: (_request, body) => fundingInput(body),
    answers: CREATED_FUNDING_ANSWER,
    reference: CREATE_FUNDING_REFERENCE,
    body: createdFundingBody,
    headers: replayHeaders,
    names: FUNDING_NAMES,
    numbers: FUNDING_NUMBERS,
  },
  readFunding: {
    method: 'get',
    path: '/api/v1/fund/reference/:gl_reference_number',
    limit: 'reads',
    input: ({ params }) => ({ fundingId: params.gl_reference_number }),
    answers: FUNDING_ANSWER,
    reference: FUNDING_REFERENCE,
    body: fundingBody,
    names: { fundingId: 'gl_reference_number' },
  },
  listFundings: {
    method: 'get',
    path: '/api/v1/fund',
    limit: 'reads',
    input: listInput,
    answers: FUNDINGS_ANSWER,
    reference: FUNDINGS_REFERENCE,
    body: fundingsBody,
    names: {},
  },
};
