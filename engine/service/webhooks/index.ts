export { sendChallenge, withAttempt } from './challenge.js';
export {
  isFor,
  listDeliveries,
  type Replayed,
  replayDeliveries,
  type ShownDelivery,
  type TestSent,
  testWebhook,
} from './deliveries.js';
export {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  resolveOf,
  rotateWebhookSecret,
  type ShownWebhook,
} from './endpoints.js';
export {
  activateClientWebhook,
  disableClientWebhook,
  listClientDeliveries,
  listClientWebhooks,
  replayClientDeliveries,
  rotateClientWebhookSecret,
  showClientWebhook,
  testClientWebhook,
} from './operator-webhooks.js';
export { type SendOptions, type Sent, send } from './send.js';
export { secretsOf, signedHeaders, signingKey, symmetricSecret } from './signatures.js';
