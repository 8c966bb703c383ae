/** ratewire-client: the REST API of ratewire for Node and browsers. README.md shows its use. */
export {
  type Answer,
  type Client,
  type ClientOptions,
  createClient,
  type Data,
  type Decimals,
  type Init,
  type Paths,
} from './client.js';
export { type EventType, type WebhookChallenge, type WebhookEvent, webhookAnswer } from './events.js';
export type { components, operations, paths, webhooks } from './openapi/document.js';
export { type FieldFault, NoAnswerError, type Problem, type ProblemCode, ProblemError } from './problem.js';
export type { SendOptions } from './send.js';
export {
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhook.js';
