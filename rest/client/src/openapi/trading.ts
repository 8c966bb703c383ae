/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json } from "./shared.js";

export interface TradingPaths<Decimal = number> {
    "/api/v1/trading/state": {
        /** Read your trading state. The state that is set for your company. While it is HALTED, rates, holds, conversions and payments that need a conversion are rejected with TRADING_HALTED. */
        get: TradingOperations<Decimal>["readTradingState"];
    };
    "/api/v1/trading/halt": {
        /** Stop all your trading. Halts your company at once, over REST and at every FIX session: no rate, no hold, no conversion. Streams lose their prices, and holds of FIX sessions are withdrawn. Only we can resume it. The same call again changes nothing and has the same answer. A body is optional. */
        post: TradingOperations<Decimal>["haltTrading"];
    };
}

export interface TradingOperations<Decimal = number> {
    readTradingState: { responses: Answer<TradingSchemas<Decimal>["TradingState"]> };
    haltTrading: {
        requestBody?: Json<{ /** Why, for the operator who has to resume it */ reason?: string }>;
        responses: Answer<TradingSchemas<Decimal>["TradingState"]>;
    };
}

export interface TradingSchemas<Decimal = number> {
    /** Whether the client may deal */
    TradingState: {
        /** ACTIVE; REDUCING: only deals that lower your exposure; HALTED: none */ state: "ACTIVE" | "REDUCING" | "HALTED";
        /** When it was set; empty while ACTIVE */ since: string;
        /** Who set it: your own request, or us; empty while ACTIVE */ by: "" | "client" | "operator";
    };
}
