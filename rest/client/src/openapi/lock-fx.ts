/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json } from "./shared.js";

export interface LockFXPaths<Decimal = number> {
    "/api/v1/lockFx/getFxRate": {
        /** Rate that can be locked. The rate of this moment for a hold of some length, signed: it can be locked for 30 seconds. */
        get: LockFXOperations<Decimal>["getLockableRate"];
    };
    "/api/v1/lockFx/lockFxRate": {
        /** Lock a rate. Holds the rate of a signature from now on. The same signature always returns the same hold. RATE_MOVED: the market has moved by more than 200 parts per million since the offer, in either direction; the answer has a new offer. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars, or that of a platform with all its sub-clients; a two-way hold counts once, by its larger side. */
        get: LockFXOperations<Decimal>["lockRate"];
        /** Lock a rate, as a POST. Holds the rate of a signature from now on. The same signature always returns the same hold. RATE_MOVED: the market has moved by more than 200 parts per million since the offer, in either direction; the answer has a new offer. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars, or that of a platform with all its sub-clients; a two-way hold counts once, by its larger side. */
        post: LockFXOperations<Decimal>["lockRateByPost"];
    };
    "/api/v1/lockFx/releaseFxRate": {
        /** Release a held rate. Releases an unused hold; a repeated release returns the same answer. */
        post: LockFXOperations<Decimal>["releaseHold"];
    };
    "/api/v1/lockFx/hold/{fx_hold_id}": {
        /** Read a held rate. The current state of a hold of the client, of REST or of FIX, by its id. A two-way hold has `side: both`; its other fields name the direction of its request, and for FIX that which sells the first currency of the pair. */
        get: LockFXOperations<Decimal>["readHeldRate"];
    };
}

export interface LockFXOperations<Decimal = number> {
    getLockableRate: {
        parameters: {
            query?: {
                /** Currency to be sold, three letters of ISO 4217; needed, unless sell_currency is sent */ source_currency?: string;
                /** Same as source_currency */ sell_currency?: string;
                /** Currency to be bought, three letters of ISO 4217; needed, unless buy_currency is sent */ destination_currency?: string;
                /** Same as destination_currency */ buy_currency?: string;
                /** When a conversion at this rate settles; empty or absent: PREFUNDING */
                schedule?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2" | "SCHEDULE1" | "SCHEDULE2";
                /** How long the rate is to be held; a longer hold costs more; empty or absent: 15_mins */
                hold_period?: "" | "5_mins" | "15_mins" | "1_hour" | "4_hours" | "8_hours" | "24_hours";
                /** What will be sold: then the hold is for this amount alone; send at most one amount. Without one the hold is for at most 500,000 USD, or as agreed */
                sell_amount?: Decimal;
                /** What will be bought: then the hold is for this amount alone; send at most one amount */ buy_amount?: Decimal;
                /** true: a hold of this rate may be booked in either direction, once; an amount stays in its currency. Empty or absent: false */
                two_way?: boolean;
            };
        };
        responses: Answer<LockFXSchemas<Decimal>["LockableRate"]>;
    };
    lockRate: {
        parameters: {
            query: {
                /** As returned by getFxRate, at most 30 seconds ago */ rate_signature: string;
                /** true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
                two_way?: boolean;
            };
        };
        responses: Answer<LockFXSchemas<Decimal>["Hold"]>;
    };
    lockRateByPost: {
        requestBody: Json<{
            /** As returned by getFxRate, at most 30 seconds ago */ rate_signature: string;
            /** true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
            two_way?: boolean;
        }>;
        responses: Answer<LockFXSchemas<Decimal>["Hold"]>;
    };
    releaseHold: { requestBody: Json<{ /** Id of the hold */ fx_hold_id: string }>; responses: Answer<LockFXSchemas<Decimal>["Hold"]> };
    readHeldRate: {
        parameters: { path: { /** Id of the hold: QuoteID(117) over FIX */ fx_hold_id: string } };
        responses: Answer<LockFXSchemas<Decimal>["Hold"]>;
    };
}

export interface LockFXSchemas<Decimal = number> {
    /** A rate that can be locked */
    LockableRate: {
        /** Currency that is sold */ source_currency: string;
        /** Currency that is bought */ destination_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */ base_fx_rate: Decimal;
        /** Margin of the client, percent, with what holding the rate adds */ margin: Decimal;
        /** Rate of the client */ fx_rate: Decimal;
        /** When a conversion at this rate settles */ schedule: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
        /** Value date (date) */ settlement_date: string;
        /** Of a two-way rate only: its one conversion may sell either of the two currencies */ side?: "both";
        /** Of a two-way rate only, where the currency named as bought is sold: rate of the provider, units of the source currency for one of the destination currency */
        opposite_base_fx_rate?: Decimal;
        /** Likewise: margin of the client, percent */ opposite_margin?: Decimal;
        /** Likewise: rate of the client */ opposite_fx_rate?: Decimal;
        /** To be sent to lockFxRate: the rate, signed */ rate_signature: string;
        /** Until when the rate can be locked (date-time) */ lock_expiry_at: string;
        /** Until when a hold taken now lasts (date-time) */ hold_expiry_at: string;
        /** What would be sold; only where an amount was asked about */ sell_amount?: Decimal;
        /** What would be bought; only where an amount was asked about */ buy_amount?: Decimal;
    };
    /** A rate that is held */
    Hold: Omit<LockFXSchemas<Decimal>["LockableRate"], "rate_signature" | "lock_expiry_at" | "hold_expiry_at" | "sell_amount" | "buy_amount"> & {
        /** Id of the hold */ fx_hold_id: string;
        /** Until when the rate is held (date-time) */ hold_expiry_at: string;
        /** Status of the hold */ status: "OPEN" | "RESERVED" | "USED" | "RELEASED" | "WITHDRAWN" | "EXPIRED";
        /** The one amount that it is for, where it was asked for with one */ sell_amount?: Decimal;
        /** The one amount that it is for, where it was asked for with one */ buy_amount?: Decimal;
    };
}
