import { assignCompId } from './assign-comp-id.js';
import { authenticate } from './authenticate.js';
import { createClient } from './create-client.js';
import { disableClient } from './disable-client.js';
import { getRate } from './get-rate.js';
import { issueKey } from './issue-key.js';
import { listClients } from './list-clients.js';
import { listMargins } from './list-margins.js';
import { listPairs } from './list-pairs.js';
import { marketStatus } from './market-status.js';
import { provisionBenchmarkClients } from './provision-benchmark-clients.js';
import { readToken } from './read-token.js';
import { removeMargin } from './remove-margin.js';
import { renewToken } from './renew-token.js';
import { revokeClientTokens } from './revoke-client-tokens.js';
import { revokeToken } from './revoke-token.js';
import { setMargin } from './set-margin.js';

/** What a client can ask for, by FIX or REST. */
export const OPERATIONS = {
  authenticate,
  renewToken,
  revokeToken,
  readToken,
  getRate,
  listPairs,
  marketStatus,
};

/** What the operator can ask for, on the machine itself. */
export const OPERATOR_OPERATIONS = {
  createClient,
  listClients,
  disableClient,
  issueKey,
  assignCompId,
  revokeClientTokens,
  setMargin,
  listMargins,
  removeMargin,
  provisionBenchmarkClients,
};

const ALL = { ...OPERATIONS, ...OPERATOR_OPERATIONS };

export type OperationName = keyof typeof OPERATIONS;
export type OperatorOperationName = keyof typeof OPERATOR_OPERATIONS;
export type AnyOperationName = keyof typeof ALL;

/** What an operation answers when it does not refuse. */
export type OutputOf<Name extends AnyOperationName> = Exclude<
  Awaited<ReturnType<(typeof ALL)[Name]['execute']>>,
  { readonly refusal: unknown }
>;

export const operationNamed = (name: AnyOperationName) => ALL[name];
