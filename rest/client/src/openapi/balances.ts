/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, SharedParameters } from "./shared.js";
import type { AccountsSchemas } from "./accounts.js";

export interface BalancesPaths<Decimal = number> {
    "/api/v1/balance/all": {
        /** Balances of all accounts. Every account of the client with what is available in it. */
        get: BalancesOperations<Decimal>["listBalances"];
    };
    "/api/v1/balance/currency/{currency}": {
        /** Balances in one currency. The accounts in this currency; an empty list where the client has none. */
        get: BalancesOperations<Decimal>["listCurrencyBalances"];
    };
    "/api/v1/balance/account/{account_number}": {
        /** Balance of one account. A list of this one account. */ get: BalancesOperations<Decimal>["readBalance"];
    };
    "/api/v1/balance/account/{account_number}/entries": {
        /** Statement of one account. The credits and debits of the account, with the balance after each. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: BalancesOperations<Decimal>["listAccountEntries"];
    };
}

export interface BalancesOperations<Decimal = number> {
    listBalances: { responses: Answer<BalancesSchemas<Decimal>["Balance"][]> };
    listCurrencyBalances: {
        parameters: { path: { /** Three letters of ISO 4217 */ currency: string } };
        responses: Answer<BalancesSchemas<Decimal>["Balance"][]>;
    };
    readBalance: {
        parameters: { path: { /** Number of the account, 12 digits */ account_number: number } };
        responses: Answer<BalancesSchemas<Decimal>["Balance"][]>;
    };
    listAccountEntries: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only entries of this type; several with commas between them */ type?: string;
            };
            path: { /** Number of the account, 12 digits */ account_number: number };
        };
        responses: Answer<BalancesSchemas<Decimal>["AccountEntryList"]>;
    };
}

export interface BalancesSchemas<Decimal = number> {
    /** An account and what is available in it */
    Balance: AccountsSchemas<Decimal>["Account"] & { /** What is available in the account, in units of its currency */ balance: Decimal };
    /** Statement of one account */
    AccountEntryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: BalancesSchemas<Decimal>["AccountEntry"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** A credit or a debit of an account */
    AccountEntry: {
        /** Id of the entry, unique within the account */ entry_id: string;
        /** When it happened (date-time) */ created_at: string;
        /** What it is about */
        type: "book-fx" | "deposit" | "funding" | "funding-reversal" | "payment" | "refund" | "adjustment" | "repayment" | "close-out" | "bust" | "correction" | "platform-share" | "cancellation" | "batch";
        /** Confirmation id of a conversion, id of a payment, ledger reference of a funding, reference of a deposit, or what an adjustment corrects */
        reference: string;
        /** Amount credited, or below 0 debited */ amount: Decimal;
        /** Currency of the account */ currency: string;
        /** Balance of the account after this entry */ balance: Decimal;
        /** Change of the receivable by this entry, or below 0 what was repaid of it */ receivable: Decimal;
        /** Of a cancellation with a gain: the date on which it is paid; empty else */ pays_on: string;
    };
}
