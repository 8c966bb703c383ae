/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer } from "./shared.js";
import type { WebhooksSchemas } from "./webhooks.js";

export interface EventsPaths<Decimal = number> {
    "/api/v1/events": {
        /** List events. What has happened to the client’s resources, the oldest first. `data` is empty where the key may not read the resource by its own path: events of beneficiaries and webhooks need `manage`, of verifications `pay`. They are in order of a sequence without gaps: for programs that poll, and to catch up after an outage of an endpoint. Send `next_after` as `after` for what follows. Events are kept for 30 days, and at most 100,000: where some of those asked for are gone the answer is 400 EVENTS_GONE, with `oldest_sequence`. A request reads at most a thousand events: with selective types a page may be short or empty. Before the first webhook endpoint of a client, and unless we have switched them on, there are no events: 400 WRONG_STATE. */
        get: EventsOperations<Decimal>["listEvents"];
    };
    "/api/v1/events/{event_id}": {
        /** Read an event. One event, as it was delivered. One that is no longer kept is rejected with EVENTS_GONE. */
        get: EventsOperations<Decimal>["readEvent"];
    };
}

export interface EventsOperations<Decimal = number> {
    listEvents: {
        parameters: {
            query?: {
                /** Only events behind this sequence, next_after of the page before; absent: from the oldest that is kept */ after?: number;
                /** How many, at most; 50 when absent */ limit?: number;
                /** Only events of these types: types of events, with commas between them, such as payment.paid, payment.* or *. There are 51 */
                type?: string;
            };
        };
        responses: Answer<EventsSchemas<Decimal>["EventList"]>;
    };
    readEvent: {
        parameters: { path: { /** Id of the event, as webhook-id has it */ event_id: string } };
        responses: Answer<EventsSchemas<Decimal>["Event"]>;
    };
}

export interface EventsSchemas<Decimal = number> {
    /** Events of the client */
    EventList: {
        /** In order of their sequence */ data: EventsSchemas<Decimal>["Event"][];
        /** To be sent as `after` for the events behind this page, now or later */ next_after: number;
        /** The oldest event that is kept */ oldest_sequence: number;
        /** The newest event; 0 before the first */ newest_sequence: number;
    };
    /** Something that has happened to a resource of the client */
    Event: WebhooksSchemas<Decimal>["EventBody"] & { /** Id of the event, the same in webhook-id at each delivery */ id: string };
}
