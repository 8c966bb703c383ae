/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";
import type { BookFXSchemas } from "./book-fx.js";

export interface ConversionChangesPaths<Decimal = number> {
    "/api/v1/bookfx/{confirmation_id}/cancel/quote": {
        /** Quote a cancellation. What it costs or brings to cancel a conversion now: the difference to the opposite deal at the client’s rate of this moment. A client may be set to gain nothing by it. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: ConversionChangesOperations<Decimal>["quoteCancellation"];
    };
    "/api/v1/bookfx/{confirmation_id}/cancel": {
        /** Cancel a conversion. Cancels the conversion at the terms of a quote. The account sold from is charged or credited; what it lacks of a charge is owed. RATE_MOVED: the market has moved by more than 200 parts per million since the quote, in either direction; the answer has a new quote. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: ConversionChangesOperations<Decimal>["cancelConversion"];
    };
    "/api/v1/bookfx/{confirmation_id}/date/quote": {
        /** Quote another settlement date. Moves the settlement to another good day, from the next one to spot. Nothing is charged: there are no forward points. At most five times, and before its settlement time alone. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: ConversionChangesOperations<Decimal>["quoteDateChange"];
    };
    "/api/v1/bookfx/{confirmation_id}/date": {
        /** Move the settlement date of a conversion. The conversion settles on the date of the quote; an OVERDUE one is OPEN again. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: ConversionChangesOperations<Decimal>["changeConversionDate"];
    };
    "/api/v1/bookfx/{confirmation_id}/split/quote": {
        /** Preview a split. The conversions that a split makes, from the amounts of one currency: their sums are those of the conversion, in both currencies. Each keeps its rate, date and type. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: ConversionChangesOperations<Decimal>["quoteSplit"];
    };
    "/api/v1/bookfx/{confirmation_id}/split": {
        /** Split a conversion. Makes the conversions of the preview; the one that is split is SPLIT, and settles nothing. The parts of an OVERDUE one settle at once where their money is there. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: ConversionChangesOperations<Decimal>["splitConversion"];
    };
    "/api/v1/conversion-changes": {
        /** List changes, with their gains and charges. What the client has changed of its conversions, and what it cost or brought. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: ConversionChangesOperations<Decimal>["listConversionChanges"];
    };
}

export interface ConversionChangesOperations<Decimal = number> {
    quoteCancellation: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<ConversionChangesSchemas<Decimal>["ConversionChangeQuote"]>;
    };
    cancelConversion: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<ConversionChangesSchemas<Decimal>["QuotedChange"]>;
        responses: Answer<BookFXSchemas<Decimal>["ConversionChange"]>;
    };
    quoteDateChange: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<{ /** The new date, YYYY-MM-DD: a good day up to spot */ settlement_date: string }>;
        responses: Answer<ConversionChangesSchemas<Decimal>["ConversionChangeQuote"]>;
    };
    changeConversionDate: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<ConversionChangesSchemas<Decimal>["QuotedChange"]>;
        responses: Answer<BookFXSchemas<Decimal>["ConversionChange"]>;
    };
    quoteSplit: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<{
            /** What each part sells, 2 to 10 amounts; needed where buy_amounts is absent */ sell_amounts?: Decimal[];
            /** What each part buys, 2 to 10 amounts; needed where sell_amounts is absent */ buy_amounts?: Decimal[];
        }>;
        responses: Answer<ConversionChangesSchemas<Decimal>["ConversionChangeQuote"]>;
    };
    splitConversion: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<ConversionChangesSchemas<Decimal>["QuotedChange"]>;
        responses: Answer<BookFXSchemas<Decimal>["ConversionChange"]>;
    };
    listConversionChanges: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only changes of this kind; several with commas between them */ type?: string;
            };
        };
        responses: Answer<ConversionChangesSchemas<Decimal>["ConversionChangeList"]>;
    };
}

export interface ConversionChangesSchemas<Decimal = number> {
    /** What a change of a conversion comes to, for 30 seconds */
    ConversionChangeQuote: {
        /** To be sent with the command, as it is */ quote_id: string;
        /** Until when the quote binds: 30 seconds (date-time) */ expires_at: string;
        /** Id of the conversion */ confirmation_id: string;
        /** Which change */ type: "cancel" | "date" | "split";
        /** Whether the client is charged, gains, or neither */ kind: "charge" | "gain" | "none";
        /** The charge or the gain, 0 or more */ amount: Decimal;
        /** Its currency: that of the account sold from */ currency: string;
        /** Rate of the provider that the amount comes from: of a cancellation units of the sold currency for one of the bought, the opposite deal */
        fx_rate: Decimal;
        /** The same of the client, with the margin */ instarem_fx_rate: Decimal;
        /** Margin of the client in it, percent */ margin_percent: Decimal;
        /** The date on which a gain is paid, or margins of the cancellation are posted: the later of the booked and the present value date; empty: nothing */
        pays_on: string;
        /** Value date after the change; of a cancellation the one that it had (date) */ settlement_date: string;
        /** Of a split: the conversions that it makes; else empty */
        children: {
            /** What it sells */ sell_amount: Decimal;
            /** What it buys */ buy_amount: Decimal;
        }[];
    };
    /** Changes of conversions */
    ConversionChangeList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: BookFXSchemas<Decimal>["ConversionChange"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    QuotedChange: {
        /** quote_id of the quote of this change */ quote_id: string;
        /** Unique id of your own; kept for 7 days, in one namespace with those of bookings */ request_id: string;
        /** Your own words, 1 to 140 characters; FIX sessions are sent them too */ reason?: string;
    };
}
