/** Asks as a client that exists, with a key of its own, for itself or for a sub-client. */
import { RIGHTS, type Right } from '../../../engine/domain/core/rights.js';
import type { Fields, MoneyDoor } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

export const SUB_CLIENTS = '/api/v1/sub-clients';

export type Ask = (method: string, path: string, onBehalfOf?: string, body?: Fields) => Promise<Answer>;

export async function asking(door: MoneyDoor, holder: string, rights: readonly Right[] = RIGHTS): Promise<Ask> {
  const { keys, tokens } = door.opened.store;
  const { clientKey } = (await keys.issue(holder, rights))!;
  const { token } = await tokens.issue(holder, clientKey, rights);
  return (method, path, onBehalfOf, body) =>
    door.ask(
      method,
      path,
      {
        authorization: `Bearer ${token}`,
        ...(onBehalfOf === undefined ? {} : { 'x-on-behalf-of': onBehalfOf }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body && JSON.stringify(body),
    );
}
