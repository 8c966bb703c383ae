/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";

export interface WebhooksPaths<Decimal = number> {
    "/api/v1/webhooks": {
        /** List your endpoints. All of them, at most 16, without their secrets. */ get: WebhooksOperations<Decimal>["listWebhooks"];
        /** Create an endpoint. Registers an address that events are sent to, signed as Standard Webhooks says. It is PENDING until it answers a challenge: a POST of type `webhook.challenge` whose answer, 2xx, has the `challenge` of its body, as it is or as `{"challenge":"..."}`. It is sent at once and again for 24 hours; then come the events since the creation. The secret is in this answer alone. At most 16: then WEBHOOK_LIMIT. The first endpoint switches your events on. Needs the right `manage`. */
        post: WebhooksOperations<Decimal>["createWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}": {
        /** Read an endpoint. The endpoint without its secret; its ETag is its version. */ get: WebhooksOperations<Decimal>["readWebhook"];
        /** Remove an endpoint. With its deliveries: nothing more is sent to it. Your events stay on. */
        delete: WebhooksOperations<Decimal>["removeWebhook"];
        /** Change an endpoint. What is absent stays. Another `url` is PENDING until it has answered a challenge; `active: true` sends one at once. An endpoint that is not active keeps its place in the sequence: once it is active again it gets what has happened meanwhile, as far as events are kept. */
        patch: WebhooksOperations<Decimal>["changeWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        /** Rotate the secret of an endpoint. A new secret, in this answer alone. For 24 hours each delivery has two signatures, by the new secret and by the one before. A second rotation within that time ends the older one. */
        post: WebhooksOperations<Decimal>["rotateWebhookSecret"];
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        /** List the deliveries of an endpoint. By event, with every attempt. Kept are those that are PENDING and the newest others, 10,000 at most. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: WebhooksOperations<Decimal>["listDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        /** Deliver events again. One event by its id, or those of a range of sequences or of times whose types the endpoint has; at most 1,000 in one request, and 5,000 in an hour: then RATE_LIMITED. They have the same ids and bodies as before, and their schedule begins anew. */
        post: WebhooksOperations<Decimal>["replayDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        /** Send a test event. An event of type `test`, which this endpoint alone gets, whatever its types. Read the deliveries for what came of it. WRONG_STATE: the endpoint is paused or disabled. */
        post: WebhooksOperations<Decimal>["testWebhook"];
    };
}

export interface WebhooksOperations<Decimal = number> {
    listWebhooks: { responses: Answer<WebhooksSchemas<Decimal>["WebhookList"]> };
    createWebhook: {
        requestBody: Json<{
            /** Name of your own, at most 140 characters; absent: none */ name?: string;
            /** An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */ url: string;
            /** Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
            types: string[];
            /** symmetric: HMAC-SHA256 with a secret that you get once (`v1`); ed25519: with a private key that we keep, and its public key for you (`v1a`); default symmetric */
            signature?: "symmetric" | "ed25519";
        }>;
        responses: Answer<WebhooksSchemas<Decimal>["NewWebhook"]>;
    };
    readWebhook: {
        parameters: { path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<WebhooksSchemas<Decimal>["Webhook"]>;
    };
    removeWebhook: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<WebhooksSchemas<Decimal>["RemovedWebhook"]>;
    };
    changeWebhook: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        requestBody?: Json<{
            /** Name of your own, at most 140 characters; absent: none */ name?: string;
            /** An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */ url?: string;
            /** Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
            types?: string[];
            /** false: pause; true: continue behind the last event that it got, also where it was disabled */ active?: boolean;
        }>;
        responses: Answer<WebhooksSchemas<Decimal>["Webhook"]>;
    };
    rotateWebhookSecret: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<WebhooksSchemas<Decimal>["NewWebhook"]>;
    };
    listDeliveries: {
        parameters: {
            query?: Pick<SharedParameters, "limit" | "cursor"> & {
                /** Only deliveries with this status; several with commas between them */ status?: string;
            };
            path: { /** Id of the endpoint */ webhook_id: string };
        };
        responses: Answer<WebhooksSchemas<Decimal>["WebhookDeliveryList"]>;
    };
    replayDeliveries: {
        parameters: { path: { /** Id of the endpoint */ webhook_id: string } };
        requestBody?: Json<{
            /** The event, by its `webhook-id` */ event_id?: string;
            /** Sequence of the first event; absent: the oldest that is kept */ from_sequence?: number;
            /** Sequence of the last event; absent: the newest */ to_sequence?: number;
            /** Events of this time or later */ from?: string;
            /** Events of this time or before */ to?: string;
        }>;
        responses: Answer<WebhooksSchemas<Decimal>["WebhookReplay"]>;
    };
    testWebhook: {
        parameters: { path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<WebhooksSchemas<Decimal>["WebhookTest"]>;
    };
    receiveEvent: {
        parameters: {
            header: {
                /** Id of the event, the same at each attempt */ "webhook-id": string;
                /** Unix seconds of the attempt */ "webhook-timestamp": string;
                /** Signatures of `{id}.{timestamp}.{body}` with blanks between them: `v1,` HMAC-SHA256 or `v1a,` ed25519, in base64 */
                "webhook-signature": string;
            };
        };
        requestBody: Json<WebhooksSchemas<Decimal>["EventBody"]>;
        responses: { /** It is delivered */ "2XX": {  } };
    };
}

export interface WebhooksSchemas<Decimal = number> {
    /** An event, as a webhook carries it */
    EventBody: {
        /** What has happened */
        type: "payment.created" | "payment.awaiting_funds" | "payment.compliance" | "payment.info_requested" | "payment.processing" | "payment.paid" | "payment.returned" | "payment.rejected" | "payment.cancelled" | "payment.expired" | "payment.error" | "conversion.booked" | "conversion.settled" | "conversion.overdue" | "conversion.cancelled" | "conversion.changed" | "conversion.split" | "conversion.busted" | "hold.locked" | "hold.reserved" | "hold.freed" | "hold.used" | "hold.expired" | "hold.revoked" | "funding.created" | "funding.completed" | "funding.rejected" | "funding.reversed" | "funding.cancelled" | "account.opened" | "account.changed" | "receivable.repaid" | "key.rotated" | "key.revoked" | "beneficiary.created" | "beneficiary.changed" | "beneficiary.disabled" | "verification.completed" | "batch.created" | "batch.validated" | "batch.closed" | "batch.processing" | "batch.done" | "batch.cancelled" | "limit.warning" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.disabled" | "webhook.removed" | "test";
        /** When it happened (date-time) */ timestamp: string;
        /** Number of the event, from 1, without gaps */ sequence: number;
        /** What it has happened to */
        data: {
            /** The resource as its own path showed it at that moment; empty where it is no longer kept, or the key may not read it */
            object: { [key: string]: unknown };
            /** The fields of it that have changed, with their values before; empty for its first event */
            previous: { [key: string]: unknown };
        };
    };
    /** A webhook endpoint with its new secret */
    NewWebhook: WebhooksSchemas<Decimal>["Webhook"] & {
        /** Verifies deliveries; shown now and never again. Empty where the signature is ed25519: use `public_key` */ secret: string;
    };
    /** One attempt to deliver an event, or a challenge */
    DeliveryAttempt: {
        /** When it began (date-time) */ at: string;
        /** Status of the answer; 0: none came */ http_status: number;
        /** Why it failed: `status`, `redirect`, `timeout`, `connection`, `tls`, `name` (not resolved), `address` (not allowed), `protocol`, `secret` (it cannot be read), `challenge` (2xx without it); empty: it succeeded */
        reason: "" | "status" | "redirect" | "timeout" | "connection" | "tls" | "name" | "address" | "protocol" | "secret" | "challenge";
    };
    /** Your webhook endpoints, in order of creation */
    WebhookList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: WebhooksSchemas<Decimal>["Webhook"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** A webhook endpoint */
    Webhook: {
        /** Id of the endpoint */ webhook_id: string;
        /** Name of your own */ name: string;
        /** Where events are sent */ url: string;
        /** Types of events, with wildcards */ types: string[];
        /** false: it gets nothing, and continues where it was once it is active again */ active: boolean;
        /** Why it is not active: PENDING (its URL has not answered a challenge), PAUSED by you, GONE (it answered 410), FAILING (for five days), OPERATOR (we disabled it); else empty */
        inactive_reason: "" | "PENDING" | "PAUSED" | "GONE" | "FAILING" | "OPERATOR";
        /** Until when its URL is challenged; empty: it has answered */ challenge_until: string;
        /** The newest 20 attempts of that challenge, oldest first */ challenge_attempts: WebhooksSchemas<Decimal>["DeliveryAttempt"][];
        /** How deliveries are signed: `v1` or `v1a` */ signature: "symmetric" | "ed25519";
        /** Of ed25519: verifies its deliveries; else empty */ public_key: string;
        /** Until when the secret before the last rotation signs too; empty: it does not */ previous_secret_until: string;
        /** Since when no delivery has succeeded; empty: the last one did */ failing_since: string;
        /** Events dropped by their age or number before they could be delivered to it */ missed_events: number;
        /** Raised by each change: the ETag */ version: number;
        /** When it was created (date-time) */ created_at: string;
        /** When it was last changed (date-time) */ updated_at: string;
    };
    /** The endpoint and its deliveries are removed */ RemovedWebhook: { /** Id of the endpoint */ webhook_id: string };
    /** Deliveries of an endpoint: the open ones, and the newest of those that have ended */
    WebhookDeliveryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: WebhooksSchemas<Decimal>["WebhookDelivery"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** The delivery of one event to one endpoint */
    WebhookDelivery: {
        /** Id of the event: the `webhook-id` of every attempt */ event_id: string;
        /** Sequence of the event */ sequence: number;
        /** Type of the event */ type: string;
        /** What the event is about */ resource_id: string;
        /** PENDING: an attempt is to come, once the endpoint is active; SUCCEEDED; FAILED: the last attempt failed; GONE: the event is not kept any more */
        status: "PENDING" | "SUCCEEDED" | "FAILED" | "GONE";
        /** When the next attempt is due; empty: there is none, as while the endpoint is not active */ next_attempt_at: string;
        /** The newest 20, oldest first */ attempts: WebhooksSchemas<Decimal>["DeliveryAttempt"][];
    };
    /** What is delivered again */
    WebhookReplay: {
        /** Id of the endpoint */ webhook_id: string;
        /** Deliveries that are due again; those that were pending already are not counted */ replayed: number;
        /** Sequence of the last event that was looked at */ last_sequence: number;
        /** false: there are more in the range; send it again from the sequence behind the last one */ complete: boolean;
    };
    /** The test event: delivered now, or once the URL of a PENDING endpoint has answered its challenge */
    WebhookTest: {
        /** Id of the endpoint */ webhook_id: string;
        /** Id of the event: the `webhook-id` of every attempt */ event_id: string;
        /** Sequence of the event */ sequence: number;
    };
}
