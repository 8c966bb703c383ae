/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Json } from "./shared.js";

export interface ReferencePaths<Decimal = number> {
    "/api/v1/reference/required-details": {
        /** What a payment needs. A JSON Schema of the fields that a payment to this country, in this currency and by this method needs, with conditions as if and then. It is generated from the rules that validate payments. With `for=beneficiary` it is the schema of the body of `POST /api/v1/beneficiaries`: the fields that a stored beneficiary has of them. */
        get: ReferenceOperations<Decimal>["requiredDetails"];
    };
}

export interface ReferenceOperations<Decimal = number> {
    requiredDetails: {
        parameters: {
            query: {
                /** Country of the beneficiary, ISO 3166-1 code of two letters; EU means any country of SEPA */ country: string;
                /** Currency that the beneficiary receives. Default: that of the country */ currency?: string;
                /** How the beneficiary is paid. Default: BANK */ method?: "BANK" | "CASH" | "CARD" | "WALLET";
                /** What the fields are for: a payment, or a stored beneficiary. Default: payment */ for?: "payment" | "beneficiary";
                /** Who is paid. Default: either, with conditions for each */ party?: "Individual" | "Company";
            };
            header?: {
                /** The ETag of an earlier answer: where it is unchanged, the answer is 304 without a body */ "If-None-Match"?: string;
            };
        };
        responses: {
            /** Schema of the body of POST /api/v1/payments/create for one corridor. What is required under a condition is in allOf, as if and then; alternative sets of routing codes are in anyOf. Routing codes may be sent in another order than here */
            200: Json<{
                /** The dialect: JSON Schema draft 2020-12 */ $schema: string;
                /** What it is about */ title: string;
                /** A body is an object */ type: "object";
                /** The fields that are needed, or may be */ properties: { [key: string]: unknown };
                /** Those that are needed in any case */ required: string[];
            } & { [key: string]: unknown }>;
            /** If-None-Match has the ETag: nothing has changed */ 304: {  };
        };
    };
}
