/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";
import type { PaymentsSchemas } from "./payments.js";

export interface BeneficiariesPaths<Decimal = number> {
    "/api/v1/beneficiaries": {
        /** List beneficiaries. The client’s beneficiaries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: BeneficiariesOperations<Decimal>["listBeneficiaries"];
        /** Store a beneficiary. Stores who is paid and where, checked by the rules of the corridor as far as they do not depend on a payment: `GET /api/v1/reference/required-details?for=beneficiary` has them. An account, in whatever notation, is in one beneficiary only: another one is rejected with 409 DUPLICATE_BENEFICIARY, which names the first as `beneficiary_id`. A client has 10,000 at most. */
        post: BeneficiariesOperations<Decimal>["createBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}": {
        /** Read a beneficiary. The newest version, or an earlier one, such as a payment shows as beneficiary_version. */
        get: BeneficiariesOperations<Decimal>["readBeneficiary"];
        /** Change a beneficiary. Changes the fields that are sent; an empty text removes one. The whole is checked as at its creation, and becomes a new version; payments that were made keep theirs. With If-Match another version than that one is rejected with 409 VERSION_CONFLICT. One beneficiary takes 100 changes. */
        patch: BeneficiariesOperations<Decimal>["changeBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/disable": {
        /** Disable a beneficiary. Payments that name it are rejected with BENEFICIARY_DISABLED, until it is enabled; those that were made are paid. */
        post: BeneficiariesOperations<Decimal>["disableBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/enable": {
        /** Enable a beneficiary. Payments can name it again. */ post: BeneficiariesOperations<Decimal>["enableBeneficiary"];
    };
    "/api/v1/payee-verifications": {
        /** Verify a payee. Asks the bank of an account whether it is in this name, by Verification of Payee for euro in SEPA and by Confirmation of Payee for sterling in the United Kingdom. Send the fields, or `beneficiary_id`. The answer is kept nowhere but in `verification_token`, which a payment of this client to this name and account may carry for ten minutes; the payment shows it. The operator decides which answers are enough, and with which the payment waits. */
        post: BeneficiariesOperations<Decimal>["verifyPayee"];
    };
}

export interface BeneficiariesOperations<Decimal = number> {
    listBeneficiaries: {
        parameters: {
            query?: Pick<SharedParameters, "to" | "limit" | "cursor"> & {
                /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */ from?: string;
                /** Only beneficiaries with this status */ status?: string;
                /** Only beneficiaries that receive this currency */ currency?: string;
                /** Only beneficiaries in this country */ country?: string;
                /** Only beneficiaries whose name begins like this, in any case */ name?: string;
            };
        };
        responses: Answer<BeneficiariesSchemas<Decimal>["BeneficiaryList"]>;
    };
    createBeneficiary: {
        requestBody: Json<Pick<PaymentsSchemas<Decimal>["PayoutRequest"], "destination_currency" | "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary"> & {
            /** Unique id of the request, chosen by the client, kept for 7 days: the same command again gets the first answer */
            request_id: string;
            /** How the beneficiary is paid. Default: BANK */ payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        }>;
        responses: Answer<BeneficiariesSchemas<Decimal>["Beneficiary"]>;
    };
    readBeneficiary: {
        parameters: {
            query?: { /** An earlier version, such as a payment shows; absent: the newest */ version?: number };
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<BeneficiariesSchemas<Decimal>["Beneficiary"]>;
    };
    changeBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        requestBody?: Json<Pick<PaymentsSchemas<Decimal>["PayoutRequest"], "destination_currency" | "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary"> & {
            /** How the beneficiary is paid. Default: BANK */ payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        }>;
        responses: Answer<BeneficiariesSchemas<Decimal>["Beneficiary"]>;
    };
    disableBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<BeneficiariesSchemas<Decimal>["Beneficiary"]>;
    };
    enableBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<BeneficiariesSchemas<Decimal>["Beneficiary"]>;
    };
    verifyPayee: {
        requestBody: Json<Pick<PaymentsSchemas<Decimal>["PaymentRequest"], "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary_id"> & {
            /** Currency of the account, ISO 4217. Default: that of the country */ currency?: string;
            /** Beneficiary's name */ name?: string;
            /** Country of the payee, ISO 3166 */ country?: string;
            /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
            account_type?: "Individual" | "Company";
            /** Account number or IBAN; mandatory for BANK */ account_number?: string;
        }>;
        responses: Answer<BeneficiariesSchemas<Decimal>["PayeeVerification"]>;
    };
}

export interface BeneficiariesSchemas<Decimal = number> {
    Beneficiary: {
        /** Beneficiary id */ beneficiary_id: string;
        /** Counts its changes, from 1; also the ETag of the answer */ version: number;
        /** DISABLED: payments that name it are refused */ status: "ACTIVE" | "DISABLED";
        /** Currency that the beneficiary receives */ destination_currency: string;
        /** How the beneficiary is paid */ payout_method: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        /** Kind of the routing code */ routing_code_type_1?: string;
        /** Routing code of the matching type */ routing_code_value_1?: string;
        /** Kind of the routing code */ routing_code_type_2?: string;
        /** Routing code of the matching type */ routing_code_value_2?: string;
        /** Kind of the routing code */ routing_code_type_3?: string;
        /** Routing code of the matching type */ routing_code_value_3?: string;
        /** Who is paid: the fields that were sent; of a card number the last four digits */
        beneficiary: Omit<PaymentsSchemas<Decimal>["BeneficiaryDetails"], "account_type" | "bank_account_type" | "identification_type"> & {
            /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
            account_type?: string;
            /** Checking, Saving or Maestra */ bank_account_type?: string;
            /** Kind of document; type and value come together */ identification_type?: string;
        };
        /** When the beneficiary was created (date-time) */ created_at: string;
        /** When it last changed (date-time) */ updated_at: string;
    };
    /** Beneficiaries of the client */
    BeneficiaryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: BeneficiariesSchemas<Decimal>["Beneficiary"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    PayeeVerification: {
        /** Id of this verification, as its event has it */ verification_id: string;
        /** MATCH: the account is in this name. CLOSE_MATCH: in one like it, see name. NO_MATCH: in another. NOT_POSSIBLE: the bank does not say */
        answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
        /** Who was asked; empty where no scheme covers the account */ scheme: "" | "SEPA_VOP" | "UK_COP";
        /** The code of the scheme; empty where it has none */ code: string;
        /** The name of the account, with MATCH and CLOSE_MATCH where the bank gives it; else empty */ name: string;
        /** For a payment to this name and account */ verification_token: string;
        /** Until when a payment may carry the token: ten minutes (date-time) */ expires_at: string;
    };
}
