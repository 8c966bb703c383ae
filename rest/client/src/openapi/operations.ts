/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Schemas } from "./schemas.js";

/** A body of JSON. */
interface Json<Body> { content: { "application/json": Body } }
interface Answer<Body> { 200: Json<Body> }
/** Parameters of many operations. */
interface SharedParameters {
    /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
    from?: string;
    /** Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
    to?: string;
    /** How many on a page, at most; 50 when absent. May differ from page to page */
    limit?: number;
    /** next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
    cursor?: string;
    /** The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
    "If-Match"?: string;
}

export interface operations<Decimal = number> {
    getRate: {
        parameters: {
            query: {
                /** Currency to be sold, three letters of ISO 4217 */
                sell_currency: string;
                /** Currency to be bought, three letters of ISO 4217 */
                buy_currency: string;
                /** When a conversion would settle; empty or absent: PREFUNDING */
                type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                /** What would be sold; send at most one amount */
                sell_amount?: Decimal;
                /** What would be bought; send at most one amount */
                buy_amount?: Decimal;
            };
        };
        responses: Answer<Schemas<Decimal>["FxRate"]>;
    };
    bookFxByCurrency: {
        requestBody: Json<{
            /** Unique id of your own; kept for 7 days */
            request_id: string;
            /** Narration, 1 to 140 characters */
            description: string;
            /** What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
            sell_amount?: Decimal;
            /** What to buy; needed where sell_amount is absent */
            buy_amount?: Decimal;
            /** When it settles; empty or absent: the client’s default type */
            book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Id of a held rate to be booked */
            fx_hold_id?: string;
            /** Value date, YYYY-MM-DD: a good day up to spot */
            settlement_date?: string;
            /** Currency to be sold, three letters of ISO 4217 */
            sell_currency: string;
            /** Currency to be bought, three letters of ISO 4217 */
            buy_currency: string;
        }>;
        responses: Answer<Schemas<Decimal>["BookFxConfirmation"]>;
    };
    bookFxByAccount: {
        requestBody: Json<{
            /** Unique id of your own; kept for 7 days */
            request_id: string;
            /** Narration, 1 to 140 characters */
            description: string;
            /** What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
            sell_amount?: Decimal;
            /** What to buy; needed where sell_amount is absent */
            buy_amount?: Decimal;
            /** When it settles; empty or absent: the client’s default type */
            book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Id of a held rate to be booked */
            fx_hold_id?: string;
            /** Value date, YYYY-MM-DD: a good day up to spot */
            settlement_date?: string;
            /** Account to be sold from, 12 digits; or as sell_account */
            to_account?: number;
            /** Same as to_account */
            sell_account?: number;
            /** Account to be bought into, 12 digits; or as buy_account */
            from_account?: number;
            /** Same as from_account */
            buy_account?: number;
        }>;
        responses: Answer<Schemas<Decimal>["BookFxConfirmation"]>;
    };
    readBooking: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<Schemas<Decimal>["BookFxConfirmation"]>;
    };
    listBookings: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only conversions with this status; several with commas between them */
                status?: string;
                /** Only conversions that buy or sell this currency */
                currency?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["BookFxList"]>;
    };
    readPrice: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<Schemas<Decimal>["BookFxPrice"]>;
    };
    quoteCancellation: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        responses: Answer<Schemas<Decimal>["ConversionChangeQuote"]>;
    };
    cancelConversion: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<Schemas<Decimal>["QuotedChange"]>;
        responses: Answer<Schemas<Decimal>["ConversionChange"]>;
    };
    quoteDateChange: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<{ /** The new date, YYYY-MM-DD: a good day up to spot */ settlement_date: string }>;
        responses: Answer<Schemas<Decimal>["ConversionChangeQuote"]>;
    };
    changeConversionDate: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<Schemas<Decimal>["QuotedChange"]>;
        responses: Answer<Schemas<Decimal>["ConversionChange"]>;
    };
    quoteSplit: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<{
            /** What each part sells, 2 to 10 amounts; needed where buy_amounts is absent */
            sell_amounts?: Decimal[];
            /** What each part buys, 2 to 10 amounts; needed where sell_amounts is absent */
            buy_amounts?: Decimal[];
        }>;
        responses: Answer<Schemas<Decimal>["ConversionChangeQuote"]>;
    };
    splitConversion: {
        parameters: { path: { /** Id returned by the booking */ confirmation_id: string } };
        requestBody: Json<Schemas<Decimal>["QuotedChange"]>;
        responses: Answer<Schemas<Decimal>["ConversionChange"]>;
    };
    listConversionChanges: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only changes of this kind; several with commas between them */
                type?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["ConversionChangeList"]>;
    };
    authenticate: {
        parameters: {
            header: {
                /** Client key, as issued */
                client_key: string;
                /** Secret of this key */
                client_secret: string;
            };
        };
        responses: Answer<Schemas<Decimal>["Token"]>;
    };
    revokeTokens: {
        parameters: {
            header?: {
                /** Client key, as issued */
                client_key?: string;
                /** Secret of this key */
                client_secret?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["RevokedTokens"]>;
    };
    getLockableRate: {
        parameters: {
            query?: {
                /** Currency to be sold, three letters of ISO 4217; needed, unless sell_currency is sent */
                source_currency?: string;
                /** Same as source_currency */
                sell_currency?: string;
                /** Currency to be bought, three letters of ISO 4217; needed, unless buy_currency is sent */
                destination_currency?: string;
                /** Same as destination_currency */
                buy_currency?: string;
                /** When a conversion at this rate settles; empty or absent: PREFUNDING */
                schedule?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2" | "SCHEDULE1" | "SCHEDULE2";
                /** How long the rate is to be held; a longer hold costs more; empty or absent: 15_mins */
                hold_period?: "" | "5_mins" | "15_mins" | "1_hour" | "4_hours" | "8_hours" | "24_hours";
                /** What will be sold: then the hold is for this amount alone; send at most one amount. Without one the hold is for at most 500,000 USD, or as agreed */
                sell_amount?: Decimal;
                /** What will be bought: then the hold is for this amount alone; send at most one amount */
                buy_amount?: Decimal;
                /** true: a hold of this rate may be booked in either direction, once; an amount stays in its currency. Empty or absent: false */
                two_way?: boolean;
            };
        };
        responses: Answer<Schemas<Decimal>["LockableRate"]>;
    };
    lockRate: {
        parameters: {
            query: {
                /** As returned by getFxRate, at most 30 seconds ago */
                rate_signature: string;
                /** true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
                two_way?: boolean;
            };
        };
        responses: Answer<Schemas<Decimal>["Hold"]>;
    };
    lockRateByPost: {
        requestBody: Json<{
            /** As returned by getFxRate, at most 30 seconds ago */
            rate_signature: string;
            /** true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
            two_way?: boolean;
        }>;
        responses: Answer<Schemas<Decimal>["Hold"]>;
    };
    releaseHold: { requestBody: Json<{ /** Id of the hold */ fx_hold_id: string }>; responses: Answer<Schemas<Decimal>["Hold"]> };
    readHeldRate: {
        parameters: { path: { /** Id of the hold: QuoteID(117) over FIX */ fx_hold_id: string } };
        responses: Answer<Schemas<Decimal>["Hold"]>;
    };
    createFunding: {
        requestBody: Json<{
            /** Account to be credited, 12 digits */
            account_number: number;
            /** Amount in units of the account, above 0 */
            amount: Decimal;
            /** Where the money was sent: BankName-AccountNumber-Currency, in the currency of the account */
            instarem_deposit_account: string;
            /** Description of the entry, 1 to 140 characters */
            payment_reference: string;
            /** Unique id of your own; kept for 7 days. Without one every call is a new entry */
            request_id?: string;
        }>;
        responses: Answer<Schemas<Decimal>["CreatedFunding"]>;
    };
    readFunding: {
        parameters: { path: { /** Ledger reference returned by the creation */ gl_reference_number: string } };
        responses: Answer<Schemas<Decimal>["Funding"]>;
    };
    listFundings: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only fundings with this status; several with commas between them */
                status?: string;
                /** Only fundings in this currency */
                currency?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["FundingList"]>;
    };
    createPayment: { requestBody: Json<Schemas<Decimal>["PaymentRequest"]>; responses: Answer<Schemas<Decimal>["CreatedPayment"]> };
    createPayout: { requestBody: Json<Schemas<Decimal>["PayoutRequest"]>; responses: Answer<Schemas<Decimal>["CreatedPayout"]> };
    readPayment: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        responses: Answer<Schemas<Decimal>["Payment"]>;
    };
    readPaymentByReference: {
        parameters: { path: { /** Transaction number of the creation */ reference_number: string } };
        responses: Answer<Schemas<Decimal>["Payment"]>;
    };
    cancelPayment: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        responses: Answer<Schemas<Decimal>["Payment"]>;
    };
    answerInformation: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        requestBody: Json<{ /** The answer, 1 to 2,000 characters */ information: string }>;
        responses: Answer<Schemas<Decimal>["Payment"]>;
    };
    listPayments: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only payments with this status; several with commas between them */
                status?: string;
                /** Only payments in this currency */
                currency?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["PaymentList"]>;
    };
    validatePayment: { requestBody: Json<Schemas<Decimal>["PaymentRequest"]>; responses: Answer<Schemas<Decimal>["PaymentValidation"]> };
    validatePayout: { requestBody: Json<Schemas<Decimal>["PayoutRequest"]>; responses: Answer<Schemas<Decimal>["PaymentValidation"]> };
    requiredDetails: {
        parameters: {
            query: {
                /** Country of the beneficiary, ISO 3166-1 code of two letters; EU means any country of SEPA */
                country: string;
                /** Currency that the beneficiary receives. Default: that of the country */
                currency?: string;
                /** How the beneficiary is paid. Default: BANK */
                method?: "BANK" | "CASH" | "CARD" | "WALLET";
                /** What the fields are for: a payment, or a stored beneficiary. Default: payment */
                for?: "payment" | "beneficiary";
                /** Who is paid. Default: either, with conditions for each */
                party?: "Individual" | "Company";
            };
            header?: {
                /** The ETag of an earlier answer: where it is unchanged, the answer is 304 without a body */
                "If-None-Match"?: string;
            };
        };
        responses: {
            /** Schema of the body of POST /api/v1/payments/create for one corridor. What is required under a condition is in allOf, as if and then; alternative sets of routing codes are in anyOf. Routing codes may be sent in another order than here */
            200: Json<{
                /** The dialect: JSON Schema draft 2020-12 */
                $schema: string;
                /** What it is about */
                title: string;
                /** A body is an object */
                type: "object";
                /** The fields that are needed, or may be */
                properties: { [key: string]: unknown };
                /** Those that are needed in any case */
                required: string[];
            } & { [key: string]: unknown }>;
            /** If-None-Match has the ETag: nothing has changed */
            304: {  };
        };
    };
    listBatches: {
        parameters: {
            query?: Pick<SharedParameters, "to" | "limit" | "cursor"> & {
                /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: string;
                /** Only batchs with this status; several with commas between them */
                status?: string;
                /** Only batches of accounts in this currency */
                currency?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["BatchList"]>;
    };
    createBatch: {
        requestBody: Json<{
            /** Unique id of your own: the same request again gives the same batch */
            request_id: string;
            /** Account that pays all items, 12 digits */
            source_account: number;
            /** Text of your own, at most 140 characters */
            description?: string;
        }>;
        responses: Answer<Schemas<Decimal>["BatchSummary"]>;
    };
    readBatch: { parameters: { path: { /** Batch id of the creation */ batch_id: string } }; responses: Answer<Schemas<Decimal>["Batch"]> };
    listBatchItems: {
        parameters: { query?: Pick<SharedParameters, "limit" | "cursor">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<Schemas<Decimal>["BatchItemList"]>;
    };
    addBatchItems: {
        parameters: {
            query?: { /** Items that the batch has may come with other content */ replace?: boolean };
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Batch id of the creation */ batch_id: string };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Each with item_id and the fields of POST /api/v2/payouts. source_account may be left out: it is that of the batch. request_id too: it is then batch_id, a point, and item_id */
                    items: (Omit<Schemas<Decimal>["PayoutRequest"], "request_id" | "transaction_number" | "statement_narrative" | "source_account" | "fee_payer" | "remitter"> & {
                        /** Unique id of your own within the batch */
                        item_id: string;
                        /** Unique id of the request, chosen by the client */
                        request_id?: string;
                        /** Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
                        transaction_number?: string;
                        /** What the beneficiary's statement says; some corridors take less than 140 characters */
                        statement_narrative?: string;
                        /** Account that pays */
                        source_account?: number;
                        /** Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered */
                        fee_payer?: "OUR" | "BEN";
                        remitter?: Schemas<Decimal>["RemitterDetails"];
                    })[];
                };
                "text/csv": string;
            };
        };
        responses: Answer<Schemas<Decimal>["BatchItemsAdded"]>;
    };
    removeBatchItem: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: {
                /** Batch id of the creation */
                batch_id: string;
                /** Your own id of the item */
                item_id: string;
            };
        };
        responses: Answer<Schemas<Decimal>["BatchSummary"]>;
    };
    validateBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<Schemas<Decimal>["BatchValidated"]>;
    };
    closeBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<Schemas<Decimal>["BatchSummary"]>;
    };
    fundBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<Schemas<Decimal>["BatchSummary"]>;
    };
    cancelBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<Schemas<Decimal>["BatchSummary"]>;
    };
    batchResults: {
        parameters: {
            query?: { /** json or csv; default: as Accept says, else json */ format?: "json" | "csv" };
            path: { /** Batch id of the creation */ batch_id: string };
        };
        responses: { /** Done */ 200: { content: { "application/json": Schemas<Decimal>["BatchResults"]; "text/csv": string } } };
    };
    listBalances: { responses: Answer<Schemas<Decimal>["Balance"][]> };
    listCurrencyBalances: {
        parameters: { path: { /** Three letters of ISO 4217 */ currency: string } };
        responses: Answer<Schemas<Decimal>["Balance"][]>;
    };
    readBalance: {
        parameters: { path: { /** Number of the account, 12 digits */ account_number: number } };
        responses: Answer<Schemas<Decimal>["Balance"][]>;
    };
    listAccountEntries: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only entries of this type; several with commas between them */
                type?: string;
            };
            path: { /** Number of the account, 12 digits */ account_number: number };
        };
        responses: Answer<Schemas<Decimal>["AccountEntryList"]>;
    };
    listAccounts: { responses: Answer<Schemas<Decimal>["Account"][]> };
    readTradingState: { responses: Answer<Schemas<Decimal>["TradingState"]> };
    haltTrading: {
        requestBody?: Json<{ /** Why, for the operator who has to resume it */ reason?: string }>;
        responses: Answer<Schemas<Decimal>["TradingState"]>;
    };
    listSubClients: {
        parameters: { query?: Pick<SharedParameters, "limit" | "cursor"> };
        responses: Answer<Schemas<Decimal>["SubClientList"]>;
    };
    createSubClient: {
        requestBody: Json<{
            /** Your own short name for it: its id is yours, ~ and this name */
            name: string;
            /** Its name, for people; the remitter of payments that name none */
            title: string;
            /** Type of a conversion that names none; default PREFUNDING */
            default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** Currencies that it gets an account in, where it has none in them yet */
            currencies?: string[];
        }>;
        responses: Answer<Schemas<Decimal>["SubClient"]>;
    };
    readSubClient: {
        parameters: { path: { /** Id of the sub-client, as its creation has answered it */ sub_client_id: string } };
        responses: Answer<Schemas<Decimal>["SubClient"]>;
    };
    changeSubClient: {
        parameters: { path: { /** Id of the sub-client, as its creation has answered it */ sub_client_id: string } };
        requestBody?: Json<{
            /** Its name, for people */
            title?: string;
            /** Type of a conversion that names none */
            default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** true: it is refused everywhere, and its tokens and sessions end; false: it is enabled again */
            disabled?: boolean;
            /** Currencies that it gets an account in, where it has none in them yet */
            currencies?: string[];
        }>;
        responses: Answer<Schemas<Decimal>["SubClient"]>;
    };
    listSubClientMargins: {
        parameters: { path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string } };
        responses: Answer<Schemas<Decimal>["SubClientMargin"][]>;
    };
    setSubClientMargin: {
        parameters: { path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string } };
        requestBody: Json<{
            /** A pair in market convention, or * for all pairs that have no rule of their own */
            pair: string;
            /** What is added to your own margin, percent from 0 to 10, with at most 4 decimals */
            margin: Decimal;
        }>;
        responses: Answer<Schemas<Decimal>["SubClientMargin"]>;
    };
    removeSubClientMargin: {
        parameters: {
            query: { /** A pair in market convention, or * for all pairs that have no rule of their own */ pair: string };
            path: { /** Id of the sub-client; * for all that have no margin of their own */ sub_client_id: string };
        };
        responses: Answer<Schemas<Decimal>["SubClientMargin"]>;
    };
    listBeneficiaries: {
        parameters: {
            query?: Pick<SharedParameters, "to" | "limit" | "cursor"> & {
                /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: string;
                /** Only beneficiaries with this status */
                status?: string;
                /** Only beneficiaries that receive this currency */
                currency?: string;
                /** Only beneficiaries in this country */
                country?: string;
                /** Only beneficiaries whose name begins like this, in any case */
                name?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["BeneficiaryList"]>;
    };
    createBeneficiary: {
        requestBody: Json<Pick<Schemas<Decimal>["PayoutRequest"], "destination_currency" | "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary"> & {
            /** Unique id of the request, chosen by the client, kept for 7 days: the same command again gets the first answer */
            request_id: string;
            /** How the beneficiary is paid. Default: BANK */
            payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        }>;
        responses: Answer<Schemas<Decimal>["Beneficiary"]>;
    };
    readBeneficiary: {
        parameters: {
            query?: { /** An earlier version, such as a payment shows; absent: the newest */ version?: number };
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<Schemas<Decimal>["Beneficiary"]>;
    };
    changeBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        requestBody?: Json<Pick<Schemas<Decimal>["PayoutRequest"], "destination_currency" | "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary"> & {
            /** How the beneficiary is paid. Default: BANK */
            payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        }>;
        responses: Answer<Schemas<Decimal>["Beneficiary"]>;
    };
    disableBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<Schemas<Decimal>["Beneficiary"]>;
    };
    enableBeneficiary: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: { /** Beneficiary id returned by the creation */ beneficiary_id: string };
        };
        responses: Answer<Schemas<Decimal>["Beneficiary"]>;
    };
    listEvents: {
        parameters: {
            query?: {
                /** Only events behind this sequence, next_after of the page before; absent: from the oldest that is kept */
                after?: number;
                /** How many, at most; 50 when absent */
                limit?: number;
                /** Only events of these types: types of events, with commas between them, such as payment.paid, payment.* or *. There are 44 */
                type?: string;
            };
        };
        responses: Answer<Schemas<Decimal>["EventList"]>;
    };
    readEvent: {
        parameters: { path: { /** Id of the event, as webhook-id has it */ event_id: string } };
        responses: Answer<Schemas<Decimal>["Event"]>;
    };
    sandboxPayment: {
        parameters: {
            path: {
                /** Payment id returned by the creation */
                payment_id: string;
                /** The outcome, one of the table */
                outcome: "compliance-verification" | "info-requested" | "approved" | "rejected" | "processing" | "paid" | "returned" | "error" | "cancelled" | "expired";
            };
        };
        requestBody?: Json<{
            /** What the bank adds; with processing and paid alone */
            sub_status?: "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT";
            /** For the history, and for the texts that the outcome shows, 1 to 140 characters */
            reason?: string;
        }>;
        responses: Answer<Schemas<Decimal>["Payment"]>;
    };
    sandboxFunding: {
        parameters: {
            path: {
                /** Ledger reference returned by the creation */
                gl_reference_number: string;
                /** The outcome, one of the table */
                outcome: "completed" | "rejected" | "cancelled" | "reversed";
            };
        };
        requestBody?: Json<Schemas<Decimal>["SandboxReason"]>;
        responses: Answer<Schemas<Decimal>["Funding"]>;
    };
    sandboxConversion: {
        parameters: {
            path: {
                /** Id of the conversion */
                confirmation_id: string;
                /** The outcome, one of the table */
                outcome: "settled" | "overdue" | "cancelled" | "closed-out" | "busted" | "corrected";
            };
        };
        requestBody?: Json<Schemas<Decimal>["SandboxReason"]>;
        responses: Answer<Schemas<Decimal>["BookFxConfirmation"]>;
    };
    sandboxClock: { responses: Answer<Schemas<Decimal>["SandboxClock"]> };
    advanceSandboxClock: {
        requestBody: Json<{
            /** By how much: a whole number and s, m, h or d, above 0: 90s, 30m, 24h, 2d */
            advance?: string;
            /** Instead: until this time of the clock, in UTC; one that has passed changes nothing */
            until?: string;
        }>;
        responses: Answer<Schemas<Decimal>["SandboxClock"]>;
    };
    listWebhooks: { responses: Answer<Schemas<Decimal>["WebhookList"]> };
    createWebhook: {
        requestBody: Json<{
            /** Name of your own, at most 140 characters; absent: none */
            name?: string;
            /** An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */
            url: string;
            /** Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
            types: string[];
            /** symmetric: HMAC-SHA256 with a secret that you get once (`v1`); ed25519: with a private key that we keep, and its public key for you (`v1a`); default symmetric */
            signature?: "symmetric" | "ed25519";
        }>;
        responses: Answer<Schemas<Decimal>["NewWebhook"]>;
    };
    readWebhook: { parameters: { path: { /** Id of the endpoint */ webhook_id: string } }; responses: Answer<Schemas<Decimal>["Webhook"]> };
    removeWebhook: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<Schemas<Decimal>["RemovedWebhook"]>;
    };
    changeWebhook: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        requestBody?: Json<{
            /** Name of your own, at most 140 characters; absent: none */
            name?: string;
            /** An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */
            url?: string;
            /** Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
            types?: string[];
            /** false: pause; true: continue behind the last event that it got, also where it was disabled */
            active?: boolean;
        }>;
        responses: Answer<Schemas<Decimal>["Webhook"]>;
    };
    rotateWebhookSecret: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<Schemas<Decimal>["NewWebhook"]>;
    };
    listDeliveries: {
        parameters: {
            query?: Pick<SharedParameters, "limit" | "cursor"> & {
                /** Only deliveries with this status; several with commas between them */
                status?: string;
            };
            path: { /** Id of the endpoint */ webhook_id: string };
        };
        responses: Answer<Schemas<Decimal>["WebhookDeliveryList"]>;
    };
    replayDeliveries: {
        parameters: { path: { /** Id of the endpoint */ webhook_id: string } };
        requestBody?: Json<{
            /** The event, by its `webhook-id` */
            event_id?: string;
            /** Sequence of the first event; absent: the oldest that is kept */
            from_sequence?: number;
            /** Sequence of the last event; absent: the newest */
            to_sequence?: number;
            /** Events of this time or later */
            from?: string;
            /** Events of this time or before */
            to?: string;
        }>;
        responses: Answer<Schemas<Decimal>["WebhookReplay"]>;
    };
    testWebhook: {
        parameters: { path: { /** Id of the endpoint */ webhook_id: string } };
        responses: Answer<Schemas<Decimal>["WebhookTest"]>;
    };
    verifyPayee: {
        requestBody: Json<Pick<Schemas<Decimal>["PaymentRequest"], "routing_code_type_1" | "routing_code_value_1" | "routing_code_type_2" | "routing_code_value_2" | "routing_code_type_3" | "routing_code_value_3" | "beneficiary_id"> & {
            /** Currency of the account, ISO 4217. Default: that of the country */
            currency?: string;
            /** Beneficiary's name */
            name?: string;
            /** Country of the payee, ISO 3166 */
            country?: string;
            /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
            account_type?: "Individual" | "Company";
            /** Account number or IBAN; mandatory for BANK */
            account_number?: string;
        }>;
        responses: Answer<Schemas<Decimal>["PayeeVerification"]>;
    };
    receiveEvent: {
        parameters: {
            header: {
                /** Id of the event, the same at each attempt */
                "webhook-id": string;
                /** Unix seconds of the attempt */
                "webhook-timestamp": string;
                /** Signatures of `{id}.{timestamp}.{body}` with blanks between them: `v1,` HMAC-SHA256 or `v1a,` ed25519, in base64 */
                "webhook-signature": string;
            };
        };
        requestBody: Json<Schemas<Decimal>["EventBody"]>;
        responses: { /** It is delivered */ "2XX": {  } };
    };
}
