/** What a client changes of where its events and its money are sent is in the audit log: by which key, of what, before and after. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE75512108001245126199';
const SECRET_URL = 'https://192.0.3.1/hook/T0KEN?key=S3CRET';

let on: PaymentRig;
beforeAll(async () => {
  on = await startPayments();
  await on.client('acme', {});
});
afterAll(() => on?.stop());

const acme = { clientId: 'acme', keyId: 'CK_ONE', rights: new Set(RIGHTS) };
const send = <Name extends AnyOperationName>(name: Name, input: object, caller: typeof acme = acme) =>
  perform(on.services, name, caller, input);
async function must<Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const answer = await send(name, input);
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.text} ${JSON.stringify(answer.fields)}`);
  return answer;
}
async function newest(limit = 1) {
  const answer = await perform(on.services, 'readAudit', undefined, { limit });
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer.changes;
}

test('endpoints: each change names the key, and the endpoint before and after', async () => {
  const created = await must('createWebhook', { url: SECRET_URL, types: ['*'], name: 'Ledger' });
  const { id: webhookId } = created.webhook;
  const who = 'client acme, key CK_ONE';
  const subject = `webhook ${webhookId} of client acme`;
  const [made] = await newest();
  expect(made).toMatchObject({ who, subject, operation: 'createWebhook', outcome: 'done', before: undefined });
  const asMade = { name: 'Ledger', host: '192.0.3.1', types: ['*'], inactive: 'PENDING', version: 1 };
  expect(made!.after).toMatchObject(asMade);

  const nothing = { webhookId, url: SECRET_URL, types: ['*'], name: 'Ledger' };
  expect((await must('changeWebhook', nothing)).webhook).toMatchObject({ version: 1 });
  expect((await newest())[0]).toEqual(made);

  await must('changeWebhook', { webhookId, url: `${SECRET_URL}2`, active: false });
  const [changed] = await newest();
  expect(changed).toMatchObject({ who, subject, operation: 'changeWebhook', before: asMade, outcome: 'done' });
  expect(changed!.after).toMatchObject({ host: '192.0.3.1', inactive: 'PAUSED', version: 2 });
  const urlHash = (state: unknown) => (state as { urlSha256: string }).urlSha256;
  expect(urlHash(changed!.after)).not.toBe(urlHash(changed!.before));

  const { secret } = await must('rotateWebhookSecret', { webhookId });
  expect((await newest())[0]).toMatchObject({ who, subject, operation: 'rotateWebhookSecret', after: { version: 3 } });
  const late = await send('removeWebhook', { webhookId, version: 1 });
  expect(late).toMatchObject({ refusal: 'VERSION_CONFLICT' });
  expect((await newest())[0]).toMatchObject({ operation: 'removeWebhook', outcome: 'VERSION_CONFLICT' });
  await must('removeWebhook', { webhookId });
  const [removed] = await newest();
  expect(removed).toMatchObject({ who, subject, operation: 'removeWebhook', before: { version: 3 }, after: undefined });

  const log = JSON.stringify(await newest(100));
  for (const hidden of [created.secret!, secret!, 'T0KEN', 'S3CRET']) expect(log).not.toContain(hidden);
});

test('beneficiaries: each change names the key, the changed fields, and the payee before and after', async () => {
  const beneficiary = { name: 'Erika', countryCode: 'DE', accountNumber: IBAN };
  const create = { requestId: 'one', beneficiary };
  const { id: beneficiaryId } = (await must('createBeneficiary', create)).beneficiary;
  const who = 'client acme, key CK_ONE';
  const subject = `beneficiary ${beneficiaryId} of client acme`;
  const [made] = await newest();
  expect(made).toMatchObject({ who, subject, operation: 'createBeneficiary', outcome: 'done', before: undefined });
  const erika = { version: 1, status: 'ACTIVE', payee: 'Erika', accountEnding: '3000', country: 'DE', currency: 'EUR' };
  expect(made!.after).toMatchObject(erika);

  // Nothing of these changes anything: the same request, the same fields, the same status.
  expect(await must('createBeneficiary', create)).toMatchObject({ replayed: true });
  expect(await must('changeBeneficiary', { beneficiaryId, beneficiary })).toMatchObject({
    beneficiary: { version: 1 },
  });
  expect(await must('enableBeneficiary', { beneficiaryId })).toMatchObject({ beneficiary: { version: 1 } });
  expect((await newest())[0]).toEqual(made);

  await must('changeBeneficiary', { beneficiaryId, beneficiary: { accountNumber: OTHER_IBAN } });
  expect((await newest())[0]).toMatchObject({
    ...{ who, subject, operation: 'changeBeneficiary', outcome: 'done', before: erika },
    input: { clientId: 'acme', beneficiaryId, changed: ['account', 'beneficiary.accountNumber'] },
    after: { ...erika, version: 2, accountEnding: '6199' },
  });
  await must('disableBeneficiary', { beneficiaryId });
  expect((await newest())[0]).toMatchObject({
    ...{ who, subject, operation: 'disableBeneficiary', before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } },
  });
  await must('enableBeneficiary', { beneficiaryId });
  expect((await newest())[0]).toMatchObject({
    operation: 'enableBeneficiary',
    after: { status: 'ACTIVE', version: 4 },
  });

  const other = await send('createBeneficiary', {
    requestId: 'two',
    beneficiary: { ...beneficiary, accountNumber: OTHER_IBAN },
  });
  expect(other).toMatchObject({ refusal: 'DUPLICATE_BENEFICIARY' });
  expect((await newest())[0]).toMatchObject({
    operation: 'createBeneficiary',
    outcome: 'DUPLICATE_BENEFICIARY',
    after: undefined,
  });
  const log = JSON.stringify(await newest(100));
  for (const hidden of [IBAN, OTHER_IBAN]) expect(log).not.toContain(hidden);
});

test('what a platform changes for a sub-client names the platform and its key', async () => {
  await on.ask('changeClient', { id: 'acme', isPlatform: true });
  await must('createSubClient', { name: 'shop', title: 'Shop' });
  expect((await newest())[0]).toMatchObject({ who: 'client acme, key CK_ONE', subject: 'client acme~shop' });
  const caller = { ...acme, clientId: 'acme~shop', platformId: 'acme' };
  const made = await perform(on.services, 'createWebhook', caller, { url: SECRET_URL, types: ['*'] });
  if (isRefusal(made)) throw new Error(made.text);
  expect((await newest())[0]).toMatchObject({
    who: 'client acme, key CK_ONE',
    subject: `webhook ${made.webhook.id} of client acme~shop`,
  });
});
