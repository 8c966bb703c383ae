/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json } from "./shared.js";
import type { BookFXSchemas } from "./book-fx.js";
import type { FundingSchemas } from "./funding.js";
import type { PaymentsSchemas } from "./payments.js";

export interface SandboxPaths<Decimal = number> {
    "/api/v1/sandbox/payments/{payment_id}/{outcome}": {
        /** Decide about a payment. Leads a payment of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404. From then on the sandbox does nothing by itself, but for a payment left in COMPLIANCE_APPROVED, which is sent a day later by your clock. A payment whose beneficiary's name has the word MANUAL waits for outcomes from the beginning. | outcome | becomes | from | | --- | --- | --- | | `compliance-verification` | COMPLIANCE_VERIFICATION | IN_PROCESS, INFO_REQUESTED | | `info-requested` | INFO_REQUESTED | IN_PROCESS, COMPLIANCE_VERIFICATION | | `approved` | COMPLIANCE_APPROVED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED, ERROR | | `rejected` | COMPLIANCE_REJECTED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED | | `processing` | PG_PROCESSING | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR, PG_PROCESSING with another sub_status | | `paid` | PAID | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, ERROR | | `returned` | RETURNED | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, PAID, ERROR | | `error` | ERROR | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING | | `cancelled` | CANCELLED | IN_PROCESS, AWAITING_FUNDS, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR | | `expired` | CANCELLED | AWAITING_FUNDS | A payment is RETURNED before PAID with all steps on the way but that one, and after it as a late return. `sub_status` goes with processing and paid: SENT_TO_BENEFICIARY_BANK_ACCOUNT, SENT_TO_BENEFICIARY_BANK, PROCESSED_BY_CLEARING, DEEMED_PAID, TIMED_OUT. */
        post: SandboxOperations<Decimal>["sandboxPayment"];
    };
    "/api/v1/sandbox/fundings/{gl_reference_number}/{outcome}": {
        /** Decide about a funding. Decides about a funding of yours, before the sandbox does so by itself. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404. | outcome | becomes | from | | --- | --- | --- | | `completed` | COMPLETED | PENDING | | `rejected` | REJECTED | PENDING | | `cancelled` | CANCELLED | PENDING | | `reversed` | REVERSED | COMPLETED | The same decision again gets the same answer. */
        post: SandboxOperations<Decimal>["sandboxFunding"];
    };
    "/api/v1/sandbox/conversions/{confirmation_id}/{outcome}": {
        /** Decide about a conversion. Leads a conversion of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404. | outcome | becomes | from | | --- | --- | --- | | `settled` | SETTLED | OPEN, OVERDUE | | `overdue` | OVERDUE | OPEN | | `cancelled` | CANCELLED | OPEN, OVERDUE | | `closed-out` | CANCELLED, with the difference to the market charged or credited | OVERDUE | | `busted` | CANCELLED, its moves reversed | OPEN, OVERDUE, SETTLED | | `corrected` | the same status, at a rate that is worse by a hundredth | OPEN, OVERDUE, SETTLED | One that cannot settle, because its sell account lacks the money, is rejected and stays as it is. */
        post: SandboxOperations<Decimal>["sandboxConversion"];
    };
    "/api/v1/sandbox/clock": {
        /** Read your clock. The time by which your holds end, your conversions settle and your payments expire. Where the ports are not sandboxes the path answers 404. */
        get: SandboxOperations<Decimal>["sandboxClock"];
        /** Advance your clock. Moves the clock of this client alone: what is due until then happens within a second or two. Ends of holds, settlement and the 30 days of a payment without funds go by it; tokens, rates, market hours and request ids do not. Only forward, by 366 days in all. A settlement date stays the agreed one. After a lost answer read the clock before you advance it again, or send `until`, which may be repeated. Where the ports are not sandboxes the path answers 404. */
        post: SandboxOperations<Decimal>["advanceSandboxClock"];
    };
}

export interface SandboxOperations<Decimal = number> {
    sandboxPayment: {
        parameters: {
            path: {
                /** Payment id returned by the creation */ payment_id: string;
                /** The outcome, one of the table */
                outcome: "compliance-verification" | "info-requested" | "approved" | "rejected" | "processing" | "paid" | "returned" | "error" | "cancelled" | "expired";
            };
        };
        requestBody?: Json<{
            /** What the bank adds; with processing and paid alone */
            sub_status?: "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT";
            /** For the history, and for the texts that the outcome shows, 1 to 140 characters */ reason?: string;
        }>;
        responses: Answer<PaymentsSchemas<Decimal>["Payment"]>;
    };
    sandboxFunding: {
        parameters: {
            path: {
                /** Ledger reference returned by the creation */ gl_reference_number: string;
                /** The outcome, one of the table */ outcome: "completed" | "rejected" | "cancelled" | "reversed";
            };
        };
        requestBody?: Json<SandboxSchemas<Decimal>["SandboxReason"]>;
        responses: Answer<FundingSchemas<Decimal>["Funding"]>;
    };
    sandboxConversion: {
        parameters: {
            path: {
                /** Id of the conversion */ confirmation_id: string;
                /** The outcome, one of the table */ outcome: "settled" | "overdue" | "cancelled" | "closed-out" | "busted" | "corrected";
            };
        };
        requestBody?: Json<SandboxSchemas<Decimal>["SandboxReason"]>;
        responses: Answer<BookFXSchemas<Decimal>["BookFxConfirmation"]>;
    };
    sandboxClock: { responses: Answer<SandboxSchemas<Decimal>["SandboxClock"]> };
    advanceSandboxClock: {
        requestBody: Json<{
            /** By how much: a whole number and s, m, h or d, above 0: 90s, 30m, 24h, 2d */ advance?: string;
            /** Instead: until this time of the clock; one that has passed changes nothing */ until?: string;
        }>;
        responses: Answer<SandboxSchemas<Decimal>["SandboxClock"]>;
    };
}

export interface SandboxSchemas<Decimal = number> {
    SandboxClock: {
        /** The time of your clock (date-time) */ now: string;
        /** How far it is ahead of the clock of the store, seconds */ ahead_seconds: number;
        /** By how much it can still be advanced, seconds */ left_seconds: number;
    };
    SandboxReason: { /** For the history, and for the texts that the outcome shows, 1 to 140 characters */ reason?: string };
}
