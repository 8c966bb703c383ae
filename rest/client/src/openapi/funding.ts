/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";

export interface FundingPaths<Decimal = number> {
    "/api/v1/fund/create": {
        /** Announce money for an account. Announces an incoming transfer. It is PENDING until it is matched: then it becomes COMPLETED and the balance rises, or REJECTED. With a request_id, the same command repeats the first answer, with `Idempotent-Replayed: true`, and another command is rejected with 409. */
        post: FundingOperations<Decimal>["createFunding"];
    };
    "/api/v1/fund/reference/{gl_reference_number}": {
        /** Read a funding entry. The current state of the entry. */ get: FundingOperations<Decimal>["readFunding"];
    };
    "/api/v1/fund": {
        /** List funding entries. The client’s funding entries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: FundingOperations<Decimal>["listFundings"];
    };
}

export interface FundingOperations<Decimal = number> {
    createFunding: {
        requestBody: Json<{
            /** Account to be credited, 12 digits */ account_number: number;
            /** Amount in units of the account, above 0 */ amount: Decimal;
            /** Where the money was sent: BankName-AccountNumber-Currency, in the currency of the account */
            instarem_deposit_account: string;
            /** Description of the entry, 1 to 140 characters */ payment_reference: string;
            /** Unique id of your own; kept for 7 days. Without one every call is a new entry */ request_id?: string;
        }>;
        responses: Answer<FundingSchemas<Decimal>["CreatedFunding"]>;
    };
    readFunding: {
        parameters: { path: { /** Ledger reference returned by the creation */ gl_reference_number: string } };
        responses: Answer<FundingSchemas<Decimal>["Funding"]>;
    };
    listFundings: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only fundings with this status; several with commas between them */ status?: string;
                /** Only fundings in this currency */ currency?: string;
            };
        };
        responses: Answer<FundingSchemas<Decimal>["FundingList"]>;
    };
}

export interface FundingSchemas<Decimal = number> {
    CreatedFunding: FundingSchemas<Decimal>["Funding"] & { /** Account to be credited, 12 digits */ account_number: string };
    Funding: {
        /** Ledger reference of the entry */ gl_reference_number: string;
        /** Status of the entry */ status: "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" | "REVERSED";
        /** Amount of the entry, in units of its currency */ amount: Decimal;
        /** Currency of the account */ currency: string;
        /** When the entry was created (date-time) */ created_at: string;
        /** When its status last changed (date-time) */ updated_at: string;
    };
    /** Funding entries of the client */
    FundingList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: FundingSchemas<Decimal>["Funding"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
}
