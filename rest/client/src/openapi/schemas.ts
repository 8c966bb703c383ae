/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
export interface components<Decimal = number> {
    schemas: Schemas<Decimal>;
}

export interface Schemas<Decimal = number> {
    /** An event, as a webhook carries it */
    EventBody: {
        /** What has happened */
        type: "payment.created" | "payment.awaiting_funds" | "payment.compliance" | "payment.info_requested" | "payment.processing" | "payment.paid" | "payment.returned" | "payment.rejected" | "payment.cancelled" | "payment.expired" | "payment.error" | "conversion.booked" | "conversion.settled" | "conversion.overdue" | "conversion.cancelled" | "conversion.changed" | "conversion.split" | "conversion.busted" | "hold.locked" | "hold.used" | "hold.expired" | "hold.revoked" | "funding.created" | "funding.completed" | "funding.rejected" | "funding.reversed" | "funding.cancelled" | "account.opened" | "account.changed" | "key.rotated" | "key.revoked" | "beneficiary.created" | "beneficiary.changed" | "beneficiary.disabled" | "verification.completed" | "batch.created" | "batch.validated" | "batch.closed" | "batch.processing" | "batch.done" | "batch.cancelled" | "limit.warning" | "webhook.disabled" | "test";
        /** When it happened (date-time) */
        timestamp: string;
        /** Number of the event, from 1, without gaps */
        sequence: number;
        /** What it has happened to */
        data: {
            /** The resource as its own path showed it at that moment; empty where it is no longer kept */
            object: { [key: string]: unknown };
            /** The fields of it that have changed, with their values before; empty for its first event */
            previous: { [key: string]: unknown };
        };
    };
    /** What is wrong with a field */
    FieldFault: {
        /** Name of the field; of a nested one with dots */
        field: string;
        /** What is wrong with it */
        code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
        /** The same for people */
        message: string;
        /** Rule of the payment that says so: G8 is a general one, IN.account a country’s */
        rule?: string;
    };
    /** The client’s rate of this moment */
    FxRate: {
        /** Currency that is sold */
        sell_currency: string;
        /** Currency that is bought */
        buy_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */
        fx_rate: Decimal;
        /** Margin of the client for this pair, percent */
        margin: Decimal;
        /** Rate of the client: what a conversion booked now gets */
        instarem_fx_rate: Decimal;
        /** When a conversion booked now expires or settles (date-time) */
        expiry_at: string;
        /** Until when the price itself holds (date-time) */
        valid_until: string;
        /** What would be sold; only where an amount was asked about */
        sell_amount?: Decimal;
        /** What would be bought; only where an amount was asked about */
        buy_amount?: Decimal;
    };
    /** A conversion between two accounts of the client */
    BookFxConfirmation: Pick<Schemas<Decimal>["BookFxPrice"], "confirmation_id" | "buy_currency" | "sell_currency" | "margin_value"> & {
        /** What was bought */
        buy_amount: Decimal;
        /** What was sold */
        sell_amount: Decimal;
        /** Account that was bought into */
        from_account: number;
        /** Account that was sold from */
        to_account: number;
        /** Rate of the client: units of the bought currency for one of the sold */
        instarem_fx_rate: Decimal;
        /** Rate of the provider */
        fx_rate: Decimal;
        /** Margin of the client, percent */
        margin_percent: Decimal;
        /** When it was booked (date-time) */
        created_at: string;
        /** When it settles; for one that settled at once, 12 hours on (date-time) */
        expiry_at: string;
        /** Status of the conversion */
        status: "OPEN" | "SETTLED" | "OVERDUE" | "CANCELLED" | "SPLIT";
        /** Value date (date) */
        settlement_date: string;
        /** Same as from_account */
        buy_account: number;
        /** Same as to_account */
        sell_account: number;
        /** The conversion that was split into this one and others; absent: it was booked by itself */
        parent_id?: string;
        /** What the client has changed of it, the oldest first; absent: nothing */
        changes?: Schemas<Decimal>["ConversionChange"][];
    };
    /** A change of a conversion by its client */
    ConversionChange: Omit<Schemas<Decimal>["ConversionChangeQuote"], "quote_id" | "expires_at" | "children"> & {
        /** The client’s id of the request */
        request_id: string;
        /** The client’s own words; empty without */
        reason: string;
        /** Status of the conversion right after the change */
        status: "CANCELLED" | "OPEN" | "SPLIT";
        /** Part of a charge that the account did not have, and that is owed */
        receivable_amount: Decimal;
        /** Of a split: the conversions that it has made; else empty */
        children: {
            /** Id of the conversion */
            confirmation_id: string;
            /** What it sells */
            sell_amount: Decimal;
            /** What it buys */
            buy_amount: Decimal;
        }[];
        /** When it was made (date-time) */
        created_at: string;
    };
    /** Conversions of the client */
    BookFxList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["BookFxConfirmation"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** Why the rate of a conversion was what it was */
    BookFxPrice: {
        /** Id of the conversion */
        confirmation_id: string;
        /** Currency that was sold */
        sell_currency: string;
        /** Currency that was bought */
        buy_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */
        fx_rate: Decimal;
        /** Rate of the client */
        instarem_fx_rate: Decimal;
        /** Margin of the client, percent, in all its parts */
        margin_percent: Decimal;
        /** Distance between the two rates */
        margin_value: Decimal;
        /** Mid of the provider’s best prices at that moment; absent where it is not known, as of conversions booked by an earlier release */
        mid_rate?: Decimal;
        /** Age of the oldest quote of the price, when it was made; of a streamed price when it was booked. Absent as of an earlier release */
        age_ms?: Decimal;
        /** market: the price of the moment; streamed, quote: one that a desk had been sent; empty as of an earlier release */
        source: "market" | "streamed" | "quote" | "";
        /** The hold whose price it is, else empty */
        fx_hold_id: string;
        /** Providers of the price, of a cross those of both legs; empty where they are not disclosed */
        providers: string[];
    };
    /** What a change of a conversion comes to, for 30 seconds */
    ConversionChangeQuote: {
        /** To be sent with the command, as it is */
        quote_id: string;
        /** Until when the quote binds: 30 seconds (date-time) */
        expires_at: string;
        /** Id of the conversion */
        confirmation_id: string;
        /** Which change */
        type: "cancel" | "date" | "split";
        /** Whether the client is charged, gains, or neither */
        kind: "charge" | "gain" | "none";
        /** The charge or the gain, 0 or more */
        amount: Decimal;
        /** Its currency: that of the account sold from */
        currency: string;
        /** Rate of the provider that the amount comes from: of a cancellation units of the sold currency for one of the bought, the opposite deal */
        fx_rate: Decimal;
        /** The same of the client, with the margin */
        instarem_fx_rate: Decimal;
        /** Margin of the client in it, percent */
        margin_percent: Decimal;
        /** Value date after the change; of a cancellation the one that it had (date) */
        settlement_date: string;
        /** Of a split: the conversions that it makes; else empty */
        children: {
            /** What it sells */
            sell_amount: Decimal;
            /** What it buys */
            buy_amount: Decimal;
        }[];
    };
    /** Changes of conversions */
    ConversionChangeList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["ConversionChange"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** A token of the client */
    Token: {
        /** To be sent as `authorization: Bearer <token>` */
        token: string;
        /** When the token expires, 24 hours after it was issued (date-time) */
        expires_at: string;
    };
    /** What was revoked */
    RevokedTokens: {
        /** Always `revoked` */
        status: string;
        /** Number of tokens revoked */
        tokens_revoked: number;
    };
    /** A rate that can be locked */
    LockableRate: {
        /** Currency that is sold */
        source_currency: string;
        /** Currency that is bought */
        destination_currency: string;
        /** Rate of the provider: units of the bought currency for one of the sold */
        base_fx_rate: Decimal;
        /** Margin of the client, percent, with what holding the rate adds */
        margin: Decimal;
        /** Rate of the client */
        fx_rate: Decimal;
        /** When a conversion at this rate settles */
        schedule: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
        /** Value date (date) */
        settlement_date: string;
        /** Of a two-way rate only: its one conversion may sell either of the two currencies */
        side?: "both";
        /** Of a two-way rate only, where the currency named as bought is sold: rate of the provider, units of the source currency for one of the destination currency */
        opposite_base_fx_rate?: Decimal;
        /** Likewise: margin of the client, percent */
        opposite_margin?: Decimal;
        /** Likewise: rate of the client */
        opposite_fx_rate?: Decimal;
        /** To be sent to lockFxRate: the rate, signed */
        rate_signature: string;
        /** Until when the rate can be locked (date-time) */
        lock_expiry_at: string;
        /** Until when a hold taken now lasts (date-time) */
        hold_expiry_at: string;
        /** What would be sold; only where an amount was asked about */
        sell_amount?: Decimal;
        /** What would be bought; only where an amount was asked about */
        buy_amount?: Decimal;
    };
    /** A rate that is held */
    Hold: Omit<Schemas<Decimal>["LockableRate"], "rate_signature" | "lock_expiry_at" | "hold_expiry_at" | "sell_amount" | "buy_amount"> & {
        /** Id of the hold */
        fx_hold_id: string;
        /** Until when the rate is held (date-time) */
        hold_expiry_at: string;
        /** Status of the hold */
        status: "OPEN" | "USED" | "RELEASED" | "WITHDRAWN" | "EXPIRED";
        /** The one amount that it is for, where it was asked for with one */
        sell_amount?: Decimal;
        /** The one amount that it is for, where it was asked for with one */
        buy_amount?: Decimal;
    };
    CreatedFunding: Schemas<Decimal>["Funding"] & { /** Account to be credited, 12 digits */ account_number: string };
    Funding: {
        /** Ledger reference of the entry */
        gl_reference_number: string;
        /** Status of the entry */
        status: "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" | "REVERSED";
        /** Amount of the entry, in units of its currency */
        amount: Decimal;
        /** Currency of the account */
        currency: string;
        /** When the entry was created (date-time) */
        created_at: string;
        /** When its status last changed (date-time) */
        updated_at: string;
    };
    /** Funding entries of the client */
    FundingList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["Funding"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    CreatedPayment: {
        /** The client's transaction number */
        reference_number: string;
        /** Payment id */
        payment_id: string;
        /** Status of the payment */
        status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
        /** More about the status; often empty */
        sub_status: "" | "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT" | "FUNDING_EXPIRED" | "HOLD_EXPIRED" | "RFI_ANSWERED";
        /** The status in words; of ERROR with the message of the bank */
        status_description: string;
        /** When the payment was created (date-time) */
        created_at: string;
        /** When it last changed (date-time) */
        updated_at: string;
        /** Currency that the beneficiary receives */
        currency: string;
    };
    CreatedPayout: Schemas<Decimal>["CreatedPayment"] & { /** When the held rate expires; empty without one */ hold_fx_expires_on: string };
    Payment: Omit<Schemas<Decimal>["CreatedPayment"], "currency"> & {
        /** Confirmation id of the first conversion made for it; empty without */
        autobookfx_confirmation_id: string;
        /** Confirmation number of the beneficiary's bank; empty before */
        payment_reference_number: string;
        /** What is paid */
        additional_info: {
            /** Currency that the beneficiary receives */
            currency: string;
            /** Amount of the payment, with all decimals of its currency; empty while a source amount awaits its funds */
            amount: string;
        };
        /** What leaves the account beside what is delivered: the fee, deduct_amount, and what is less than the unit of country and method. As agreed while the payment awaits its funds; empty where only a conversion will tell. Stays when the payment ends: the status determines what was refunded */
        fee_amount: string;
        /** Currency of fee_amount */
        fee_currency: string;
        /** What the beneficiary receives; as agreed, and empty, as fee_amount */
        delivered_amount: string;
        /** Currency of delivered_amount */
        delivered_currency: string;
        /** All conversions made for it, in order: at a hold, and by Auto Book FX */
        autobookfx_confirmation_ids: string[];
        /** The stored beneficiary that it named; absent without */
        beneficiary_id?: string;
        /** The version that its fields are from; absent without */
        beneficiary_version?: number;
        /** The verification of the payee that the payment carried; absent without */
        verification?: {
            /** What the bank of the payee has answered */
            answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
            /** The code of the scheme; empty where it has none */
            code: string;
            /** When it has answered (date-time) */
            verified_at: string;
        };
    };
    /** Payments of the client */
    PaymentList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["Payment"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** What a dry run has found */
    PaymentValidation: {
        /** The body is valid: the payment can be created */
        valid: boolean;
        /** Possible later problems; they do not reject the payment */
        warnings: Schemas<Decimal>["FieldFault"][];
    };
    /** A batch of payments from one account */
    BatchSummary: {
        /** Batch id */
        batch_id: string;
        /** Status of the batch */
        status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
        /** Counts changes of its items and its status: the ETag */
        version: number;
        /** Request id of its creation */
        request_id: string;
        /** Text of your own */
        description: string;
        /** Account that pays all items */
        source_account: number;
        /** Currency of that account, and of all amounts here */
        currency: string;
        /** Items of the batch */
        items: number;
        /** Items that are not payments yet, of a batch that can still be processed */
        pending: number;
        /** Items that have become payments */
        created: number;
        /** Items that could not become payments */
        refused: number;
        /** Items that had not become payments when the batch was cancelled */
        cancelled: number;
        /** What was reserved when the batch was funded; 0 before */
        total_amount: string;
        /** What the payments took of it, with their fees */
        created_amount: string;
        /** What came back to the account for refused items */
        refused_amount: string;
        /** What is still reserved for pending items */
        reserved_amount: string;
        /** When the batch was created (date-time) */
        created_at: string;
        /** When it last changed (date-time) */
        updated_at: string;
    };
    /** Batches of the client */
    BatchList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["BatchSummary"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** A batch of payments from one account */
    Batch: Schemas<Decimal>["BatchSummary"] & {
        /** How many of its payments have each status; without those that none has */
        payments: {
            /** Status of payments */
            status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /** How many payments of the batch have it */
            count: number;
        }[];
    };
    BatchItemsAdded: Schemas<Decimal>["BatchSummary"] & {
        /** Items that this request has added */
        added: number;
        /** Items that it has given other content */
        replaced: number;
        /** Items that the batch had already, with this content */
        unchanged: number;
    };
    /** Items of a batch, in the order in which they were added */
    BatchItemList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["BatchItem"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    BatchItem: {
        /** Your own id of the item */
        item_id: string;
        /** CREATED: it is a payment, whose status follows */
        status: "PENDING" | "CREATED" | "REFUSED" | "CANCELLED";
        /** Transaction number of its payment; empty where none was sent */
        transaction_number: string;
        /** Payment id; empty without a payment */
        payment_id: string;
        /** Status of the payment */
        payment_status: "" | "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
        /** More about that status; often empty */
        payment_sub_status: string;
        /** Amount of the payment */
        amount: string;
        /** Its currency */
        currency: string;
        /** Of a refused item: why */
        code: string;
        /** The reason in words */
        message: string;
    };
    BatchValidated: Schemas<Decimal>["BatchSummary"] & {
        /** No item has a fault: the batch is VALIDATED */
        valid: boolean;
        /** Items with faults, in order */
        faults: {
            /** Your own id of the item */
            item_id: string;
            /** All faults of the item, as the creation of the payment names them */
            errors: Schemas<Decimal>["FieldFault"][];
        }[];
        /** Further items with faults, which are too many for one answer */
        faults_left_out: number;
    };
    BatchResults: Schemas<Decimal>["BatchSummary"] & { /** Every item, in order */ results: Schemas<Decimal>["BatchItem"][] };
    /** An account and what is available in it */
    Balance: Schemas<Decimal>["Account"] & { /** What is available in the account, in units of its currency */ balance: Decimal };
    /** Statement of one account */
    AccountEntryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["AccountEntry"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** A credit or a debit of an account */
    AccountEntry: {
        /** Id of the entry, unique within the account */
        entry_id: string;
        /** When it happened (date-time) */
        created_at: string;
        /** What it is about */
        type: "book-fx" | "deposit" | "funding" | "funding-reversal" | "payment" | "refund" | "adjustment" | "repayment" | "close-out" | "bust" | "correction" | "platform-share" | "cancellation" | "batch";
        /** Confirmation id of a conversion, id of a payment, ledger reference of a funding, reference of a deposit, or what an adjustment corrects */
        reference: string;
        /** Amount credited, or below 0 debited */
        amount: Decimal;
        /** Currency of the account */
        currency: string;
        /** Balance of the account after this entry */
        balance: Decimal;
        /** Change of the receivable by this entry, or below 0 what was repaid of it */
        receivable: Decimal;
    };
    /** An account of the client */
    Account: {
        /** Number of the account, 12 digits */
        account_number: number;
        /** Currency of the account */
        currency: string;
        /** Turn of the account in Auto Book FX, the lowest first; 0: not used for it */
        auto_bookfx_sequence: number;
        /** Whether the account can be used */
        active: boolean;
        /** Whether it is the default account of its currency */
        default: boolean;
        /** Label of the account; may be empty */
        label: string;
    };
    /** Whether the client may deal */
    TradingState: {
        /** ACTIVE; REDUCING: only deals that lower your exposure; HALTED: none */
        state: "ACTIVE" | "REDUCING" | "HALTED";
        /** When it was set; empty while ACTIVE */
        since: string;
        /** Who set it: your own request, or us; empty while ACTIVE */
        by: "" | "client" | "operator";
    };
    /** A client of the platform */
    SubClient: {
        /** Its id: what x-on-behalf-of names */
        sub_client_id: string;
        /** Its name, for people */
        title: string;
        /** Type of a conversion that names none */
        default_type: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
        /** It is refused everywhere */
        disabled: boolean;
        /** Currencies that it has accounts in */
        currencies: string[];
        /** When it was created (date-time) */
        created_at: string;
    };
    /** Sub-clients of the platform, in order of their ids */
    SubClientList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["SubClient"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** What a platform adds to its own margin */
    SubClientMargin: {
        /** The sub-client, or * for all that have no margin of their own */
        sub_client_id: string;
        /** Pair in market convention, or * */
        pair: string;
        /** What is added to your own margin, percent */
        margin: Decimal;
    };
    Beneficiary: {
        /** Beneficiary id */
        beneficiary_id: string;
        /** Counts its changes, from 1; also the ETag of the answer */
        version: number;
        /** DISABLED: payments that name it are refused */
        status: "ACTIVE" | "DISABLED";
        /** Currency that the beneficiary receives */
        destination_currency: string;
        /** How the beneficiary is paid */
        payout_method: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        /** Kind of the routing code */
        routing_code_type_1?: string;
        /** Routing code of the matching type */
        routing_code_value_1?: string;
        /** Kind of the routing code */
        routing_code_type_2?: string;
        /** Routing code of the matching type */
        routing_code_value_2?: string;
        /** Kind of the routing code */
        routing_code_type_3?: string;
        /** Routing code of the matching type */
        routing_code_value_3?: string;
        /** Who is paid: the fields that were sent; of a card number the last four digits */
        beneficiary: Omit<Schemas<Decimal>["BeneficiaryDetails"], "account_type" | "bank_account_type" | "identification_type"> & {
            /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
            account_type?: string;
            /** Checking, Saving or Maestra */
            bank_account_type?: string;
            /** Kind of document; type and value come together */
            identification_type?: string;
        };
        /** When the beneficiary was created (date-time) */
        created_at: string;
        /** When it last changed (date-time) */
        updated_at: string;
    };
    /** Beneficiaries of the client */
    BeneficiaryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["Beneficiary"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** Events of the client */
    EventList: {
        /** In order of their sequence */
        data: Schemas<Decimal>["Event"][];
        /** To be sent as `after` for the events behind this page, now or later */
        next_after: number;
        /** The oldest event that is kept */
        oldest_sequence: number;
        /** The newest event; 0 before the first */
        newest_sequence: number;
    };
    /** Something that has happened to a resource of the client */
    Event: Schemas<Decimal>["EventBody"] & { /** Id of the event, the same in webhook-id at each delivery */ id: string };
    SandboxClock: {
        /** The time of your clock (date-time) */
        now: string;
        /** How far it is ahead of the clock of the store, seconds */
        ahead_seconds: number;
        /** By how much it can still be advanced, seconds */
        left_seconds: number;
    };
    /** A webhook endpoint with its new secret */
    NewWebhook: Schemas<Decimal>["Webhook"] & {
        /** Verifies deliveries; shown now and never again. Empty where the signature is ed25519: use `public_key` */
        secret: string;
    };
    /** Your webhook endpoints, in order of creation */
    WebhookList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["Webhook"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** A webhook endpoint */
    Webhook: {
        /** Id of the endpoint */
        webhook_id: string;
        /** Name of your own */
        name: string;
        /** Where events are sent */
        url: string;
        /** Types of events, with wildcards */
        types: string[];
        /** false: it gets nothing, and continues where it was once it is active again */
        active: boolean;
        /** Why it is not active: PAUSED by you, GONE (it answered 410), FAILING (for five days), OPERATOR (we disabled it); else empty */
        inactive_reason: "" | "PAUSED" | "GONE" | "FAILING" | "OPERATOR";
        /** How deliveries are signed: `v1` or `v1a` */
        signature: "symmetric" | "ed25519";
        /** Of ed25519: verifies its deliveries; else empty */
        public_key: string;
        /** Until when the secret before the last rotation signs too; empty: it does not */
        previous_secret_until: string;
        /** Since when no delivery has succeeded; empty: the last one did */
        failing_since: string;
        /** Events dropped by their age or number before they could be delivered to it */
        missed_events: number;
        /** Raised by each change: the ETag */
        version: number;
        /** When it was created (date-time) */
        created_at: string;
        /** When it was last changed (date-time) */
        updated_at: string;
    };
    /** The endpoint and its deliveries are removed */
    RemovedWebhook: { /** Id of the endpoint */ webhook_id: string };
    /** Deliveries of an endpoint: the open ones, and the newest of those that have ended */
    WebhookDeliveryList: {
        /** The newest first; with filters a page may be short, or empty, before the end */
        data: Schemas<Decimal>["WebhookDelivery"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
        next_cursor: string;
    };
    /** The delivery of one event to one endpoint */
    WebhookDelivery: {
        /** Id of the event: the `webhook-id` of every attempt */
        event_id: string;
        /** Sequence of the event */
        sequence: number;
        /** Type of the event */
        type: string;
        /** What the event is about */
        resource_id: string;
        /** PENDING: an attempt is to come, once the endpoint is active; SUCCEEDED; FAILED: the last attempt failed; GONE: the event is not kept any more */
        status: "PENDING" | "SUCCEEDED" | "FAILED" | "GONE";
        /** When the next attempt is due; empty: there is none, as while the endpoint is not active */
        next_attempt_at: string;
        /** The newest 20, oldest first */
        attempts: Schemas<Decimal>["DeliveryAttempt"][];
    };
    /** One attempt to deliver an event */
    DeliveryAttempt: {
        /** When it began (date-time) */
        at: string;
        /** Status of the answer; 0: none came */
        http_status: number;
        /** Why it failed: `status`, `redirect`, `timeout`, `connection`, `tls`, `name` (not resolved), `address` (not allowed), `protocol`, `secret` (it cannot be read); empty: it succeeded */
        reason: "" | "status" | "redirect" | "timeout" | "connection" | "tls" | "name" | "address" | "protocol" | "secret";
    };
    /** What is delivered again */
    WebhookReplay: {
        /** Id of the endpoint */
        webhook_id: string;
        /** Deliveries that are due again; those that were pending already are not counted */
        replayed: number;
        /** Sequence of the last event that was looked at */
        last_sequence: number;
        /** false: there are more in the range; send it again from the sequence behind the last one */
        complete: boolean;
    };
    /** The test event that is delivered now */
    WebhookTest: {
        /** Id of the endpoint */
        webhook_id: string;
        /** Id of the event: the `webhook-id` of every attempt */
        event_id: string;
        /** Sequence of the event */
        sequence: number;
    };
    PayeeVerification: {
        /** Id of this verification, as its event has it */
        verification_id: string;
        /** MATCH: the account is in this name. CLOSE_MATCH: in one like it, see name. NO_MATCH: in another. NOT_POSSIBLE: the bank does not say */
        answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
        /** Who was asked; empty where no scheme covers the account */
        scheme: "" | "SEPA_VOP" | "UK_COP";
        /** The code of the scheme; empty where it has none */
        code: string;
        /** The name of the account, with MATCH and CLOSE_MATCH where the bank gives it; else empty */
        name: string;
        /** For a payment to this name and account */
        verification_token: string;
        /** Until when a payment may carry the token: ten minutes (date-time) */
        expires_at: string;
    };
    /** Why a request was refused (RFC 9457) */
    Problem: {
        /** The code as a URN */
        type: string;
        /** What the code means */
        title: string;
        /** The status of the answer */
        status: number;
        /** What is wrong this time */
        detail: string;
        /** Path of the request */
        instance: string;
        /** Why, for programs */
        code: "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_LARGE" | "UNSUPPORTED_CONTENT_TYPE" | "BAD_CREDENTIALS" | "KEY_LOCKED" | "TOKEN_REQUIRED" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "NOT_ENTITLED" | "RATE_LIMITED" | "VALIDATION_FAILED" | "HOLD_LIMIT" | "RATE_SIGNATURE_INVALID" | "RATE_SIGNATURE_EXPIRED" | "REQUEST_ID_REUSED" | "VERSION_CONFLICT" | "EVENTS_GONE" | "WEBHOOK_LIMIT" | "DUPLICATE_TRANSACTION" | "DUPLICATE_BENEFICIARY" | "BENEFICIARY_LIMIT" | "UNKNOWN_BENEFICIARY" | "BENEFICIARY_DISABLED" | "NOT_CHANGEABLE" | "QUOTE_INVALID" | "QUOTE_EXPIRED" | "VERIFICATION_INVALID" | "VERIFICATION_EXPIRED" | "VERIFICATION_MISMATCH" | "VERIFICATION_REQUIRED" | "UNKNOWN_ACCOUNT" | "ACCOUNT_INACTIVE" | "ACCOUNT_CURRENCY" | "SAME_CURRENCY" | "BAD_AMOUNT" | "AMOUNT_BELOW_MIN" | "AMOUNT_ABOVE_LIMIT" | "BAD_SETTLEMENT_DATE" | "MARKET_CLOSED" | "NOT_CANCELLABLE" | "HOLD_NOT_FOUND" | "HOLD_USED" | "HOLD_EXPIRED" | "HOLD_MISMATCH" | "RATE_UNAVAILABLE" | "INSUFFICIENT_LIQUIDITY" | "RATE_MOVED" | "CREDIT_LIMIT" | "INSUFFICIENT_BALANCE" | "BALANCE_LIMIT" | "BATCH_LIMIT" | "SUB_CLIENT_LIMIT" | "CLIENT_EXISTS" | "ACCOUNT_LIMIT" | "MARGIN_LIMIT" | "WRONG_STATE" | "STORE_FULL" | "STORE_UNAVAILABLE" | "INTERNAL_ERROR";
        /** Same as detail */
        message: string;
        /** Id of this answer, also in x-request-id: quote it in questions */
        request_id: string;
        /** All faults of the fields, at once; empty for other refusals */
        errors: Schemas<Decimal>["FieldFault"][];
        /** What may go wrong besides, in a dry run */
        warnings?: Schemas<Decimal>["FieldFault"][];
        /** With 503: none, nothing was executed; unknown, the answer of the store was lost. In both cases send the same request again */
        outcome?: "none" | "unknown";
        /** What the account has, with INSUFFICIENT_BALANCE */
        available_amount?: Decimal;
        /** What it would need, with INSUFFICIENT_BALANCE */
        needed_amount?: Decimal;
        /** The payment that there is, with DUPLICATE_TRANSACTION */
        payment_id?: string;
        /** Status of the payment, with DUPLICATE_TRANSACTION, NOT_CANCELLABLE and WRONG_STATE */
        payment_status?: string;
        /** The beneficiary that has the account, with DUPLICATE_BENEFICIARY */
        beneficiary_id?: string;
        /** Status of the batch, with WRONG_STATE */
        batch_status?: string;
        /** What it was sent with, with DUPLICATE_TRANSACTION */
        original_request_id?: string;
        /** The oldest event that is kept, with EVENTS_GONE */
        oldest_sequence?: number;
        /** How many of the events asked for are no longer kept, with EVENTS_GONE */
        dropped?: number;
    };
    QuotedChange: {
        /** quote_id of the quote of this change */
        quote_id: string;
        /** Unique id of your own; kept for 7 days, in one namespace with those of bookings */
        request_id: string;
        /** Your own words, 1 to 140 characters; FIX sessions are sent them too */
        reason?: string;
    };
    PaymentRequest: Omit<Schemas<Decimal>["PayoutRequest"], "source_account" | "source_amount" | "destination_amount" | "destination_account" | "fee_payer" | "remitter" | "beneficiary" | "payout_options"> & {
        /** Account that pays. Default: the default account in the payment currency */
        account_number?: number;
        /** Amount paid to the beneficiary; 0 when equivalent_amount decides */
        destination_amount: Decimal;
        /** Amount that is converted into the destination currency; mandatory when destination_amount is 0 */
        equivalent_amount?: Decimal;
        /** Currency of equivalent_amount */
        equivalent_currency?: string;
        /** Amount deducted from what is delivered */
        deduct_amount?: Decimal;
        /** 8 to 16 characters, digits with an optional + in front (E.164) */
        remitter_contact_number?: string;
        /** Date of birth, YYYY-MM-DD */
        remitter_dob?: string;
        /** City */
        remitter_city?: string;
        /** State, province or region */
        remitter_state?: string;
        /** Postal code */
        remitter_postcode?: string;
        /** Street address */
        remitter_address?: string;
        /** Remitter's name; mandatory where the client pays on behalf of others */
        remitter_name?: string;
        /** Whether the remitter's name may contain initials */
        remitter_given_name?: boolean;
        /** Individual or Company */
        remitter_account_type: "Individual" | "Company";
        /** Remitter's own bank account */
        remitter_bank_account_number?: string;
        /** Kind of document; type and number come together */
        remitter_identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
        /** Number of the document */
        remitter_identification_number?: string;
        /** ISO 3166-1 code of two upper-case letters */
        remitter_country_code?: string;
        /** What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade */
        remit_purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
        /** Source of the remitter's income; default Business Relations */
        remitter_source_of_income?: string;
        /** Where the money comes from */
        remitter_source_of_funds?: string;
        /** Country of birth: ISO 3166-1 code of two upper-case letters */
        remitter_place_of_birth?: string;
        /** Nationality: ISO 3166-1 code of two upper-case letters */
        remitter_nationality?: string;
        /** Occupation */
        remitter_occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
        /** 8 to 16 characters, digits with an optional + in front (E.164) */
        beneficiary_contact_number?: string;
        /** Date of birth, YYYY-MM-DD */
        beneficiary_dob?: string;
        /** City */
        beneficiary_city?: string;
        /** State, province or region */
        beneficiary_state?: string;
        /** Postal code */
        beneficiary_postcode?: string;
        /** Street address */
        beneficiary_address?: string;
        /** Beneficiary's name */
        beneficiary_name?: string;
        /** Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */
        beneficiary_country_code?: string;
        /** Email address */
        beneficiary_email?: string;
        /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
        beneficiary_account_type?: "Individual" | "Company";
        /** Wallet, mostly a telephone number; mandatory for WALLET */
        beneficiary_wallet_id?: string;
        /** Account number or IBAN; mandatory for BANK */
        beneficiary_account_number?: string;
        /** Checking, Saving or Maestra */
        beneficiary_bank_account_type?: "Checking" | "Saving" | "Maestra";
        /** Name of the beneficiary's bank */
        beneficiary_bank_name?: string;
        /** Code of the beneficiary's bank, beside the routing codes */
        beneficiary_bank_code?: string;
        /** Kind of document; type and value come together */
        beneficiary_identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
        /** Number of the document; its check digits are looked at */
        beneficiary_identification_value?: string;
        /** Card number; mandatory for CARD */
        beneficiary_card_number?: string;
        /** Month in which the card expires, YYYY-MM */
        beneficiary_card_expiry_date?: string;
        /** Relationship between remitter and beneficiary */
        remitter_beneficiary_relationship?: string;
    };
    PayoutRequest: {
        /** Unique id of the request, chosen by the client */
        request_id: string;
        /** Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
        transaction_number: string;
        /** Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
        destination_currency?: string;
        /** Local currency of the beneficiary's country: ISO 4217 code of three upper-case letters. Moves no money */
        local_conversion_currency?: string;
        /** What the beneficiary's statement says; some corridors take less than 140 characters */
        statement_narrative: string;
        /** Financial institution of the original remitter, where the client pays for another */
        original_remitter_fi?: string;
        /** How the beneficiary is paid. Default: BANK */
        deposit_method?: "CASH" | "BANK" | "CARD" | "WALLET";
        /** How the beneficiary is paid; it must agree with deposit_method. Default: BANK */
        payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */
        routing_code_value_1?: string;
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */
        routing_code_value_2?: string;
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */
        routing_code_value_3?: string;
        /** Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */
        beneficiary_id?: string;
        /** Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old */
        verification_token?: string;
        /** Account that pays */
        source_account: number;
        /** Amount that leaves the source account, in its currency. Exactly one of source_amount and destination_amount */
        source_amount?: Decimal;
        /** Amount paid to the beneficiary */
        destination_amount?: Decimal;
        /** Destination account number: kept, and moves no money */
        destination_account?: number;
        /** Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered */
        fee_payer: "OUR" | "BEN";
        remitter: Schemas<Decimal>["RemitterDetails"];
        beneficiary?: Schemas<Decimal>["BeneficiaryDetails"];
        /** About the trade or service that is paid, and for CASH where it is collected */
        additional_info?: {
            /** Id of the order that is paid */
            trade_order_id?: string;
            /** Time of the order */
            trade_time?: string;
            /** Currency of the order: ISO 4217 code of three upper-case letters */
            trade_currency?: string;
            /** Amount of the order */
            trade_amount?: Decimal;
            /** What was ordered */
            trade_name?: string;
            /** How many were ordered */
            trade_count?: number;
            /** Who carries the goods */
            goods_carrier?: string;
            /** What the service is */
            service_detail?: string;
            /** When the service was given */
            service_time?: string;
            /** Where the beneficiary collects; mandatory for CASH */
            cash_pickup?: string;
        };
        /** How the payment is made */
        payout_options?: {
            /** Id of a rate that was locked and is held: the payment converts at it */
            fx_hold_id?: string;
            /** Amount deducted from what is delivered */
            deduct_amount?: Decimal;
        };
    };
    SandboxReason: { /** For the history, and for the texts that the outcome shows, 1 to 140 characters */ reason?: string };
    /** Who pays */
    RemitterDetails: {
        /** 8 to 16 characters, digits with an optional + in front (E.164) */
        contact_number?: string;
        /** Date of birth, YYYY-MM-DD */
        dob?: string;
        /** City */
        city?: string;
        /** State, province or region */
        state?: string;
        /** Postal code */
        postcode?: string;
        /** Street address */
        address?: string;
        /** Remitter's name; mandatory where the client pays on behalf of others */
        name?: string;
        /** Whether the remitter's name may contain initials */
        given_name?: boolean;
        /** Individual or Company */
        account_type: "Individual" | "Company";
        /** Remitter's own bank account */
        bank_account_number?: string;
        /** Kind of document; type and number come together */
        identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
        /** Number of the document */
        identification_number?: string;
        /** ISO 3166-1 code of two upper-case letters */
        country_code?: string;
        /** What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade */
        purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
        /** Source of the remitter's income; default Business Relations */
        source_of_income?: string;
        /** Where the money comes from */
        source_of_funds?: string;
        /** Country of birth: ISO 3166-1 code of two upper-case letters */
        place_of_birth?: string;
        /** Nationality: ISO 3166-1 code of two upper-case letters */
        nationality?: string;
        /** Occupation */
        occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
    };
    /** Who is paid */
    BeneficiaryDetails: Pick<Schemas<Decimal>["RemitterDetails"], "contact_number" | "dob" | "city" | "state" | "postcode" | "address"> & {
        /** Beneficiary's name */
        name?: string;
        /** Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */
        country_code?: string;
        /** Email address */
        email?: string;
        /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
        account_type?: "Individual" | "Company";
        /** Wallet, mostly a telephone number; mandatory for WALLET */
        wallet_id?: string;
        /** Account number or IBAN; mandatory for BANK */
        account_number?: string;
        /** Checking, Saving or Maestra */
        bank_account_type?: "Checking" | "Saving" | "Maestra";
        /** Name of the beneficiary's bank */
        bank_name?: string;
        /** Code of the beneficiary's bank, beside the routing codes */
        bank_code?: string;
        /** Kind of document; type and value come together */
        identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
        /** Number of the document; its check digits are looked at */
        identification_value?: string;
        /** Card number; mandatory for CARD */
        card_number?: string;
        /** Month in which the card expires, YYYY-MM */
        card_expiry_date?: string;
        /** Relationship between remitter and beneficiary */
        relationship?: string;
    };
}

/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set(
    "age_ms amount available_amount balance base_fx_rate buy_amount buy_amounts deduct_amount destination_amount equivalent_amount fx_rate instarem_fx_rate margin margin_percent margin_value mid_rate needed_amount opposite_base_fx_rate opposite_fx_rate opposite_margin receivable receivable_amount sell_amount sell_amounts source_amount trade_amount".split(" "),
);
