/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { AuthenticationPaths, AuthenticationOperations, AuthenticationSchemas } from "./authentication.js";
import type { AccountsPaths, AccountsOperations, AccountsSchemas } from "./accounts.js";
import type { BalancesPaths, BalancesOperations, BalancesSchemas } from "./balances.js";
import type { BookFXPaths, BookFXOperations, BookFXSchemas } from "./book-fx.js";
import type { ConversionChangesPaths, ConversionChangesOperations, ConversionChangesSchemas } from "./conversion-changes.js";
import type { TradingPaths, TradingOperations, TradingSchemas } from "./trading.js";
import type { LockFXPaths, LockFXOperations, LockFXSchemas } from "./lock-fx.js";
import type { FundingPaths, FundingOperations, FundingSchemas } from "./funding.js";
import type { PaymentsPaths, PaymentsOperations, PaymentsSchemas } from "./payments.js";
import type { SubClientsPaths, SubClientsOperations, SubClientsSchemas } from "./sub-clients.js";
import type { WebhooksPaths, WebhooksOperations, WebhooksSchemas } from "./webhooks.js";
import type { EventsPaths, EventsOperations, EventsSchemas } from "./events.js";
import type { BeneficiariesPaths, BeneficiariesOperations, BeneficiariesSchemas } from "./beneficiaries.js";
import type { BatchesPaths, BatchesOperations, BatchesSchemas } from "./batches.js";
import type { ReferencePaths, ReferenceOperations } from "./reference.js";
import type { SandboxPaths, SandboxOperations, SandboxSchemas } from "./sandbox.js";

export interface paths<Decimal = number> extends
    AuthenticationPaths<Decimal>,
    AccountsPaths<Decimal>,
    BalancesPaths<Decimal>,
    BookFXPaths<Decimal>,
    ConversionChangesPaths<Decimal>,
    TradingPaths<Decimal>,
    LockFXPaths<Decimal>,
    FundingPaths<Decimal>,
    PaymentsPaths<Decimal>,
    SubClientsPaths<Decimal>,
    WebhooksPaths<Decimal>,
    EventsPaths<Decimal>,
    BeneficiariesPaths<Decimal>,
    BatchesPaths<Decimal>,
    ReferencePaths<Decimal>,
    SandboxPaths<Decimal>
{
}

export interface webhooks<Decimal = number> {
    event: {
        /** An event is delivered. Sent to each active endpoint whose types include it, signed, and of one resource in order. A challenge has the type `webhook.challenge`, the sequence 0 and `challenge`, which the answer must have: as it is, or as `{"challenge":"..."}`. Any other answer than 2xx within 20 seconds, or none, is followed by further attempts, ten in three days. The same event may come twice, with the same webhook-id. */
        post: WebhooksOperations<Decimal>["receiveEvent"];
    };
}

export interface operations<Decimal = number> extends
    AuthenticationOperations<Decimal>,
    AccountsOperations<Decimal>,
    BalancesOperations<Decimal>,
    BookFXOperations<Decimal>,
    ConversionChangesOperations<Decimal>,
    TradingOperations<Decimal>,
    LockFXOperations<Decimal>,
    FundingOperations<Decimal>,
    PaymentsOperations<Decimal>,
    SubClientsOperations<Decimal>,
    WebhooksOperations<Decimal>,
    EventsOperations<Decimal>,
    BeneficiariesOperations<Decimal>,
    BatchesOperations<Decimal>,
    ReferenceOperations<Decimal>,
    SandboxOperations<Decimal>
{
}

export interface Schemas<Decimal = number> extends
    AuthenticationSchemas<Decimal>,
    AccountsSchemas<Decimal>,
    BalancesSchemas<Decimal>,
    BookFXSchemas<Decimal>,
    ConversionChangesSchemas<Decimal>,
    TradingSchemas<Decimal>,
    LockFXSchemas<Decimal>,
    FundingSchemas<Decimal>,
    PaymentsSchemas<Decimal>,
    SubClientsSchemas<Decimal>,
    WebhooksSchemas<Decimal>,
    EventsSchemas<Decimal>,
    BeneficiariesSchemas<Decimal>,
    BatchesSchemas<Decimal>,
    SandboxSchemas<Decimal>
{
    /** Why a request was refused (RFC 9457) */
    Problem: {
        /** The code as a URN */ type: string;
        /** What the code means */ title: string;
        /** The status of the answer */ status: number;
        /** What is wrong this time */ detail: string;
        /** Path of the request */ instance: string;
        /** Why, for programs */
        code: "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_LARGE" | "REQUEST_TIMEOUT" | "UNSUPPORTED_CONTENT_TYPE" | "BAD_CREDENTIALS" | "KEY_LOCKED" | "TOKEN_REQUIRED" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "NOT_ENTITLED" | "RATE_LIMITED" | "VALIDATION_FAILED" | "HOLD_LIMIT" | "RATE_SIGNATURE_INVALID" | "RATE_SIGNATURE_EXPIRED" | "REQUEST_ID_REUSED" | "VERSION_CONFLICT" | "EVENTS_GONE" | "WEBHOOK_LIMIT" | "DUPLICATE_TRANSACTION" | "DUPLICATE_BENEFICIARY" | "BENEFICIARY_LIMIT" | "UNKNOWN_BENEFICIARY" | "BENEFICIARY_DISABLED" | "BENEFICIARY_CHANGED" | "NOT_CHANGEABLE" | "QUOTE_INVALID" | "QUOTE_EXPIRED" | "VERIFICATION_INVALID" | "VERIFICATION_EXPIRED" | "VERIFICATION_MISMATCH" | "VERIFICATION_REQUIRED" | "UNKNOWN_ACCOUNT" | "ACCOUNT_INACTIVE" | "ACCOUNT_CURRENCY" | "SAME_CURRENCY" | "BAD_AMOUNT" | "AMOUNT_BELOW_MIN" | "AMOUNT_ABOVE_LIMIT" | "BAD_SETTLEMENT_DATE" | "MARKET_CLOSED" | "TRADING_HALTED" | "NOT_CANCELLABLE" | "HOLD_NOT_FOUND" | "HOLD_USED" | "HOLD_EXPIRED" | "HOLD_MISMATCH" | "RATE_UNAVAILABLE" | "INSUFFICIENT_LIQUIDITY" | "RATE_MOVED" | "CREDIT_LIMIT" | "INSUFFICIENT_BALANCE" | "BALANCE_LIMIT" | "BATCH_LIMIT" | "SUB_CLIENT_LIMIT" | "CLIENT_EXISTS" | "ACCOUNT_LIMIT" | "MARGIN_LIMIT" | "WRONG_STATE" | "STORE_FULL" | "STORE_UNAVAILABLE" | "INTERNAL_ERROR";
        /** Same as detail */ message: string;
        /** Id of this answer, also in x-request-id: quote it in questions */ request_id: string;
        /** All faults of the fields, at once; empty for other refusals */ errors: PaymentsSchemas<Decimal>["FieldFault"][];
        /** What may go wrong besides, in a dry run */ warnings?: PaymentsSchemas<Decimal>["FieldFault"][];
        /** With 503: none, nothing was executed; unknown, the answer of the store was lost. In both cases send the same request again */
        outcome?: "none" | "unknown";
        /** What the account has, with INSUFFICIENT_BALANCE */ available_amount?: Decimal;
        /** What it would need, with INSUFFICIENT_BALANCE */ needed_amount?: Decimal;
        /** The payment that there is, with DUPLICATE_TRANSACTION */ payment_id?: string;
        /** Status of the payment, with DUPLICATE_TRANSACTION, NOT_CANCELLABLE and WRONG_STATE */ payment_status?: string;
        /** The beneficiary that has the account, with DUPLICATE_BENEFICIARY */ beneficiary_id?: string;
        /** Status of the batch, with WRONG_STATE */ batch_status?: string;
        /** A new offer, with RATE_MOVED of a lock */ rate_signature?: string;
        /** A new quote, with RATE_MOVED of a change */ quote_id?: string;
        /** The rate of the new offer or quote, as its own answer has it, with RATE_MOVED */ fx_rate?: Decimal;
        /** Of a new quote the rate of the client, with RATE_MOVED of a change */ instarem_fx_rate?: Decimal;
        /** Until when the new offer or quote can be used, with RATE_MOVED */ lock_expiry_at?: string;
        /** What it was sent with, with DUPLICATE_TRANSACTION */ original_request_id?: string;
        /** The oldest event that is kept, with EVENTS_GONE */ oldest_sequence?: number;
        /** How many of the events asked for are no longer kept, with EVENTS_GONE */ dropped?: number;
    };
}

export interface components<Decimal = number> {
    schemas: Schemas<Decimal>;
}

/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set(
    "age_ms amount available_amount balance base_fx_rate buy_amount buy_amounts deduct_amount destination_amount equivalent_amount fx_rate instarem_fx_rate margin margin_percent margin_value mid_rate needed_amount opposite_base_fx_rate opposite_fx_rate opposite_margin receivable receivable_amount sell_amount sell_amounts source_amount trade_amount".split(" "),
);
