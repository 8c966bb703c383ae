/** Every operation of the OpenAPI document with keys that have all rights but one: the right that each needs, and its refusal. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { type MoneyDoor, openMoneyDoor } from '../money-door.js';
import { OPERATIONS } from '../openapi/generated/operations.js';

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  read: [
    ...['readBooking', 'listBookings', 'readPrice', 'listConversionChanges', 'readHeldRate', 'readFunding'],
    ...['listFundings', 'readPayment', 'readPaymentByReference', 'listPayments', 'listBalances'],
    ...['listCurrencyBalances', 'readBalance', 'listAccountEntries', 'listAccounts', 'readTradingState'],
    ...[
      'listBatches',
      'readBatch',
      'listBatchItems',
      'batchResults',
      'listSubClients',
      'readSubClient',
      'listSubClientMargins',
      'listEvents',
      'readEvent',
      'sandboxClock',
    ],
  ],
  rates: ['getRate', 'getLockableRate'],
  trade: [
    ...['bookFxByCurrency', 'bookFxByAccount', 'quoteCancellation', 'cancelConversion', 'quoteDateChange'],
    ...['changeConversionDate', 'quoteSplit', 'splitConversion', 'lockRate', 'lockRateByPost', 'releaseHold'],
    ...['haltTrading', 'sandboxConversion', 'advanceSandboxClock'],
  ],
  pay: [
    ...['createFunding', 'createPayment', 'createPayout', 'cancelPayment', 'answerInformation', 'validatePayment'],
    ...['validatePayout', 'fundBatch', 'sandboxPayment', 'sandboxFunding', 'verifyPayee'],
  ],
  manage: [
    ...['createBatch', 'addBatchItems', 'removeBatchItem', 'validateBatch', 'closeBatch', 'cancelBatch'],
    ...['createSubClient', 'changeSubClient'],
    ...['setSubClientMargin', 'removeSubClientMargin', 'createBeneficiary', 'listBeneficiaries', 'readBeneficiary'],
    ...['changeBeneficiary', 'disableBeneficiary', 'enableBeneficiary', 'createWebhook', 'listWebhooks', 'readWebhook'],
    ...['changeWebhook', 'removeWebhook', 'rotateWebhookSecret', 'listDeliveries', 'replayDeliveries', 'testWebhook'],
  ],
};

let door: MoneyDoor;
beforeAll(async () => {
  door = await openMoneyDoor();
  await door.client('acme');
  // For others a sub-client is not entitled without more.
  await door.opened.store.clients.change('acme', { isPlatform: true });
});
afterAll(() => door.stop());

test.each(RIGHTS)('without %s', async (right) => {
  const { store } = door.opened;
  const rights = RIGHTS.filter((one) => one !== right);
  const { clientKey } = (await store.keys.issue('acme', rights))!;
  const { token } = await store.tokens.issue('acme', clientKey, rights);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const refused: string[] = [];
  // One that needs no right, or ends the token.
  for (const { id, method, path, takesBody, isOpen, isEither } of OPERATIONS) {
    if (isOpen || isEither) continue;
    const answer = await door.ask(method, path.replace(/\{\w+\}/g, 'x'), headers, takesBody ? '{}' : undefined);
    const isLacking = answer.body.detail === `Not entitled: this key lacks the right ${right}`;
    if (isLacking) refused.push(id);
    expect([id, answer.status === 403 && answer.body.code === 'NOT_ENTITLED']).toEqual([id, isLacking]);
  }
  expect(refused.sort()).toEqual([...(NEEDED[right] ?? [])].sort());
});

test('for a client that is unknown, foreign or no sub-client: refused by every operation without more', async () => {
  const { store } = door.opened;
  await door.client('other');
  await store.clients.change('other', { isPlatform: true });
  await door.client('other~one');
  const { clientKey } = (await store.keys.issue('acme', RIGHTS))!;
  const { token } = await store.tokens.issue('acme', clientKey, RIGHTS);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (const { id, method, path, takesBody, isOpen, isEither } of OPERATIONS) {
    if (isOpen || isEither) continue;
    for (const onBehalf of ['acme~none', 'other~one', 'other~none', 'other', 'acme', 'x']) {
      const answer = await door.ask(
        method,
        path.replace(/\{\w+\}/g, 'x'),
        { ...headers, 'x-on-behalf-of': onBehalf },
        takesBody ? '{}' : undefined,
      );
      const { status, body } = answer;
      expect([id, onBehalf, status, body.code, body.detail]).toEqual([
        id,
        onBehalf,
        403,
        'NOT_ENTITLED',
        'Not entitled',
      ]);
    }
  }
});
