/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";

export interface BookFXPaths<Decimal = number> {
    "/api/v1/bookfx/rate": {
        /** Rate of a currency pair. The client’s rate of this moment: units of the bought currency for one of the sold. Larger amounts may have another rate: name the amount for its rate; without one it is that of the smallest amounts. */
        get: BookFXOperations<Decimal>["getRate"];
    };
    "/api/v1/bookfx/currency/create": {
        /** Convert between the default accounts of two currencies. Sells from the default account of one currency and buys into that of the other. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: BookFXOperations<Decimal>["bookFxByCurrency"];
    };
    "/api/v1/bookfx/account/create": {
        /** Convert between two given accounts. Note the names: from_account is the account bought into, to_account the account sold from. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: BookFXOperations<Decimal>["bookFxByAccount"];
    };
    "/api/v1/bookfx/{confirmation_id}": {
        /** Read a conversion. The current state of a conversion of the client, by its confirmation id. One that the operator has undone is CANCELLED; one that the operator has corrected has its new rate and amounts. `changes` has what the client has changed: a cancellation, another date, or a split, after which it is SPLIT and its children have its amounts. */
        get: BookFXOperations<Decimal>["readBooking"];
    };
    "/api/v1/bookfx": {
        /** List conversions. The client’s conversions, also those that were made for a payment. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: BookFXOperations<Decimal>["listBookings"];
    };
    "/api/v1/bookfx/{confirmation_id}/price": {
        /** Read why a rate was what it was. The provider’s rate, the mid and the age of the price of a conversion of the client, with the margin, as they were when it was booked; later corrections do not change them. It is stored with the booking, and covered by the hash of the record. */
        get: BookFXOperations<Decimal>["readPrice"];
    };
}

export interface BookFXOperations<Decimal = number> {
    getRate: {
        parameters: {
            query: {
                /** Currency to be sold, three letters of ISO 4217 */ sell_currency: string;
                /** Currency to be bought, three letters of ISO 4217 */ buy_currency: string;
                /** When a conversion would settle; empty or absent: PREFUNDING */ type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                /** What would be sold; send at most one amount */ sell_amount?: Decimal;
                /** What would be bought; send at most one amount */ buy_amount?: Decimal;
            };
        };
        responses: Answer<BookFXSchemas<Decimal>["FxRate"]>;
    };
    bookFxByCurrency: {
        requestBody: Json<{
            /** Unique id of your own; kept for 7 days */ request_id: string;
            /** Narration, 1 to 140 characters */ description: string;
            /** What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
            sell_amount?: Decimal;
            /** What to buy; needed where sell_amount is absent */ buy_amount?: Decimal;
            /** When it settles; empty or absent: the client’s default type */
            book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Id of a held rate to be booked */ fx_hold_id?: string;
            /** Value date, YYYY-MM-DD: a good day up to spot */ settlement_date?: string;
            /** Currency to be sold, three letters of ISO 4217 */ sell_currency: string;
            /** Currency to be bought, three letters of ISO 4217 */ buy_currency: string;
        }>;
        responses: Answer<BookFXSchemas<Decimal>["BookFxConfirmation"]>;
    };
    bookFxByAccount: {
        requestBody: Json<{
            /** Unique id of your own; kept for 7 days */ request_id: string;
            /** Narration, 1 to 140 characters */ description: string;
            /** What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
            sell_amount?: Decimal;
            /** What to buy; needed where sell_amount is absent */ buy_amount?: Decimal;
            /** When it settles; empty or absent: the client’s default type */
            book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Id of a held rate to be booked */ fx_hold_id?: string;
            /** Value date, YYYY-MM-DD: a good day up to spot */ settlement_date?: string;
            /** Account to be sold from, 12 digits; or as sell_account */ to_account?: number;
            /** Same as to_account */ sell_account?: number;
            /** Account to be bought into, 12 digits; or as buy_account */ from_account?: number;
            /** Same as from_account */ buy_account?: number;
        }>;
        responses: Answer<BookFXSchemas<Decimal>["BookFxConfirmation"]>;
    };
    readBooking: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<BookFXSchemas<Decimal>["BookFxConfirmation"]>;
    };
    listBookings: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only conversions with this status; several with commas between them */ status?: string;
                /** Only conversions that buy or sell this currency */ currency?: string;
            };
        };
        responses: Answer<BookFXSchemas<Decimal>["BookFxList"]>;
    };
    readPrice: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<BookFXSchemas<Decimal>["BookFxPrice"]>;
    };
}

export interface BookFXSchemas<Decimal = number> {
    /** The client’s rate of this moment */
    FxRate: {
        /** Currency that is sold */ sell_currency: string;
        /** Currency that is bought */ buy_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */ fx_rate: Decimal;
        /** Margin of the client for this pair, percent */ margin: Decimal;
        /** Rate of the client: what a conversion booked now gets */ instarem_fx_rate: Decimal;
        /** When a conversion booked now expires or settles (date-time) */ expiry_at: string;
        /** Until when the price itself holds (date-time) */ valid_until: string;
        /** What would be sold; only where an amount was asked about */ sell_amount?: Decimal;
        /** What would be bought; only where an amount was asked about */ buy_amount?: Decimal;
    };
    /** A conversion between two accounts of the client */
    BookFxConfirmation: Pick<BookFXSchemas<Decimal>["BookFxPrice"], "confirmation_id" | "buy_currency" | "sell_currency" | "margin_value"> & {
        /** What was bought */ buy_amount: Decimal;
        /** What was sold */ sell_amount: Decimal;
        /** Account that was bought into */ from_account: number;
        /** Account that was sold from */ to_account: number;
        /** Rate of the client: units of the bought currency for one of the sold */ instarem_fx_rate: Decimal;
        /** Rate of the provider */ fx_rate: Decimal;
        /** Margin of the client, percent */ margin_percent: Decimal;
        /** When it was booked (date-time) */ created_at: string;
        /** When it settles; for one that settled at once, 12 hours on (date-time) */ expiry_at: string;
        /** Status of the conversion */ status: "OPEN" | "SETTLED" | "OVERDUE" | "CANCELLED" | "SPLIT";
        /** Value date (date) */ settlement_date: string;
        /** Same as from_account */ buy_account: number;
        /** Same as to_account */ sell_account: number;
        /** The conversion that was split into this one and others; absent: it was booked by itself */ parent_id?: string;
        /** What the client has changed of it, the oldest first; absent: nothing */ changes?: BookFXSchemas<Decimal>["ConversionChange"][];
    };
    /** A change of a conversion by its client */
    ConversionChange: {
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
        /** The client’s id of the request */ request_id: string;
        /** The client’s own words; empty without */ reason: string;
        /** Status of the conversion right after the change */ status: "CANCELLED" | "OPEN" | "SPLIT";
        /** Part of a charge that the account did not have, and that is owed */ receivable_amount: Decimal;
        /** Of a split: the conversions that it has made; else empty */
        children: {
            /** Id of the conversion */ confirmation_id: string;
            /** What it sells */ sell_amount: Decimal;
            /** What it buys */ buy_amount: Decimal;
        }[];
        /** When it was made (date-time) */ created_at: string;
    };
    /** Conversions of the client */
    BookFxList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: BookFXSchemas<Decimal>["BookFxConfirmation"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** Why the rate of a conversion was what it was */
    BookFxPrice: {
        /** Id of the conversion */ confirmation_id: string;
        /** Currency that was sold */ sell_currency: string;
        /** Currency that was bought */ buy_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */ fx_rate: Decimal;
        /** Rate of the client */ instarem_fx_rate: Decimal;
        /** Margin of the client, percent, in all its parts */ margin_percent: Decimal;
        /** Distance between the two rates */ margin_value: Decimal;
        /** Mid of the provider’s best prices at that moment; absent where it is not known */ mid_rate?: Decimal;
        /** Age of the oldest quote of the price, when it was made; of a streamed price when it was booked. */ age_ms: Decimal;
        /** market: the price of the moment; streamed, quote: one that a desk had been sent */ source: "market" | "streamed" | "quote";
        /** The hold whose price it is, else empty */ fx_hold_id: string;
        /** Providers of the price, of a cross those of both legs; empty where they are not disclosed */ providers: string[];
    };
}
