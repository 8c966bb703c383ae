/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";

export interface SubClientsPaths<Decimal = number> {
    "/api/v1/sub-clients": {
        /** List your sub-clients. For platforms. In order of their ids. */ get: SubClientsOperations<Decimal>["listSubClients"];
        /** Create a sub-client. For platforms. The new client has accounts, balances, margins, limits and webhooks of its own, and is dealt for with the header `x-on-behalf-of`. The same name again is answered by 409 CLIENT_EXISTS. A platform has 10,000 sub-clients at most. */
        post: SubClientsOperations<Decimal>["createSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}": {
        /** Read a sub-client. For platforms. One of another platform is answered as an unknown one. */
        get: SubClientsOperations<Decimal>["readSubClient"];
        /** Change a sub-client. For platforms. What is left out stays. `currencies` has all currencies that it shall have accounts in: new ones are opened, and a list that lacks one of them is refused, because accounts are not closed here. A disabled sub-client is refused everywhere: its own tokens and FIX sessions end, and `x-on-behalf-of` with its id is answered by 403. One that we have disabled is enabled by us alone: WRONG_STATE. */
        patch: SubClientsOperations<Decimal>["changeSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}/margins": {
        /** List the margins of a sub-client. For platforms. What you add for this sub-client, not what applies to all of them. */
        get: SubClientsOperations<Decimal>["listSubClientMargins"];
        /** Set a margin of a sub-client. For platforms. It is added to your own margin, in prices, holds and quotes alike, within a second. The nearest applies: that of the sub-client before that of all, within these that of the pair before that of all pairs. Its part of the margin of each conversion is credited to you with the conversion: docs/platforms.md. At most 1,000. */
        post: SubClientsOperations<Decimal>["setSubClientMargin"];
        /** Remove a margin of a sub-client. For platforms. The next nearest applies; without one nothing is added. */
        delete: SubClientsOperations<Decimal>["removeSubClientMargin"];
    };
}

export interface SubClientsOperations<Decimal = number> {
    listSubClients: {
        parameters: { query?: Pick<SharedParameters, "limit" | "cursor"> };
        responses: Answer<SubClientsSchemas<Decimal>["SubClientList"]>;
    };
    createSubClient: {
        requestBody: Json<{
            /** Your own short name for it, which no other has in any case: its id is yours, ~ and this name */ name: string;
            /** Its name, for people; the remitter of payments that name none */ title: string;
            /** Type of a conversion that names none; default PREFUNDING */ default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Currencies that it gets an account in, where it has none in them yet */ currencies?: string[];
        }>;
        responses: Answer<SubClientsSchemas<Decimal>["SubClient"]>;
    };
    readSubClient: {
        parameters: { path: { /** Id of the sub-client, as its creation has answered it */ sub_client_id: string } };
        responses: Answer<SubClientsSchemas<Decimal>["SubClient"]>;
    };
    changeSubClient: {
        parameters: { path: { /** Id of the sub-client, as its creation has answered it */ sub_client_id: string } };
        requestBody?: Json<{
            /** Its name, for people */ title?: string;
            /** Type of a conversion that names none */ default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** true: it is refused everywhere, and its tokens and sessions end; false: it is enabled again */ disabled?: boolean;
            /** Currencies that it gets an account in, where it has none in them yet */ currencies?: string[];
        }>;
        responses: Answer<SubClientsSchemas<Decimal>["SubClient"]>;
    };
    listSubClientMargins: {
        parameters: { path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string } };
        responses: Answer<SubClientsSchemas<Decimal>["SubClientMargin"][]>;
    };
    setSubClientMargin: {
        parameters: { path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string } };
        requestBody: Json<{
            /** A pair in market convention, or * for all pairs that have no rule of their own */ pair: string;
            /** What is added to your own margin, percent from 0 to 10, with at most 4 decimals */ margin: Decimal;
        }>;
        responses: Answer<SubClientsSchemas<Decimal>["SubClientMargin"]>;
    };
    removeSubClientMargin: {
        parameters: {
            query: { /** A pair in market convention, or * for all pairs that have no rule of their own */ pair: string };
            path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string };
        };
        responses: Answer<SubClientsSchemas<Decimal>["SubClientMargin"]>;
    };
}

export interface SubClientsSchemas<Decimal = number> {
    /** A client of the platform */
    SubClient: {
        /** Its id: what x-on-behalf-of names */ sub_client_id: string;
        /** Its name, for people */ title: string;
        /** Type of a conversion that names none */ default_type: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
        /** It is refused everywhere */ disabled: boolean;
        /** Currencies that it has accounts in */ currencies: string[];
        /** When it was created (date-time) */ created_at: string;
    };
    /** Sub-clients of the platform, in order of their ids */
    SubClientList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: SubClientsSchemas<Decimal>["SubClient"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** What a platform adds to its own margin */
    SubClientMargin: {
        /** The sub-client, or * for all that have no margin of their own */ sub_client_id: string;
        /** Pair in market convention, or * */ pair: string;
        /** What is added to your own margin, percent */ margin: Decimal;
    };
}
