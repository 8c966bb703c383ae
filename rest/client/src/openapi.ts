/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
export interface paths<Decimal = number> {
    "/api/v1/bookfx/rate": {
        /**
         * Rate of a currency pair
         * @description The client’s rate of this moment: units of the bought currency for one of the sold. Larger amounts may have another rate: name the amount for its rate; without one it is that of the smallest amounts.
         */
        get: operations<Decimal>["getRate"];
    };
    "/api/v1/bookfx/currency/create": {
        /**
         * Convert between the default accounts of two currencies
         * @description Sells from the default account of one currency and buys into that of the other. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.
         */
        post: operations<Decimal>["bookFxByCurrency"];
    };
    "/api/v1/bookfx/account/create": {
        /**
         * Convert between two given accounts
         * @description Note the names: from_account is the account bought into, to_account the account sold from. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.
         */
        post: operations<Decimal>["bookFxByAccount"];
    };
    "/api/v1/bookfx/{confirmation_id}": {
        /**
         * Read a conversion
         * @description The current state of a conversion of the client, by its confirmation id. One that the operator has undone is CANCELLED; one that the operator has corrected has its new rate and amounts. `changes` has what the client has changed: a cancellation, another date, or a split, after which it is SPLIT and its children have its amounts.
         */
        get: operations<Decimal>["readBooking"];
    };
    "/api/v1/bookfx": {
        /**
         * List conversions
         * @description The client’s conversions, also those that were made for a payment. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listBookings"];
    };
    "/api/v1/bookfx/{confirmation_id}/price": {
        /**
         * Read why a rate was what it was
         * @description The provider’s rate, the mid and the age of the price of a conversion of the client, with the margin, as they were when it was booked; later corrections do not change them. It is stored with the booking, and covered by the hash of the record.
         */
        get: operations<Decimal>["readPrice"];
    };
    "/api/v1/bookfx/{confirmation_id}/cancel/quote": {
        /**
         * Quote a cancellation
         * @description What it costs or brings to cancel a conversion now: the difference to the opposite deal at the client’s rate of this moment. A client may be set to gain nothing by it. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before.
         */
        post: operations<Decimal>["quoteCancellation"];
    };
    "/api/v1/bookfx/{confirmation_id}/cancel": {
        /**
         * Cancel a conversion
         * @description Cancels the conversion at the terms of a quote. The account sold from is charged or credited; what it lacks of a charge is owed. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.
         */
        post: operations<Decimal>["cancelConversion"];
    };
    "/api/v1/bookfx/{confirmation_id}/date/quote": {
        /**
         * Quote another settlement date
         * @description Moves the settlement to another good day, from the next one to spot. Nothing is charged: there are no forward points. At most five times. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before.
         */
        post: operations<Decimal>["quoteDateChange"];
    };
    "/api/v1/bookfx/{confirmation_id}/date": {
        /**
         * Move the settlement date of a conversion
         * @description The conversion settles on the date of the quote; an OVERDUE one is OPEN again. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.
         */
        post: operations<Decimal>["changeConversionDate"];
    };
    "/api/v1/bookfx/{confirmation_id}/split/quote": {
        /**
         * Preview a split
         * @description The conversions that a split makes, from the amounts of one currency: their sums are those of the conversion, in both currencies. Each keeps its rate, date and type. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before.
         */
        post: operations<Decimal>["quoteSplit"];
    };
    "/api/v1/bookfx/{confirmation_id}/split": {
        /**
         * Split a conversion
         * @description Makes the conversions of the preview; the one that is split is SPLIT, and settles nothing. The parts of an OVERDUE one settle at once where their money is there. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409.
         */
        post: operations<Decimal>["splitConversion"];
    };
    "/api/v1/conversion-changes": {
        /**
         * List changes, with their gains and charges
         * @description What the client has changed of its conversions, and what it cost or brought. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listConversionChanges"];
    };
    "/api/v1/authentication": {
        /**
         * Get a token
         * @description Issues a token of 24 hours for a client key and its secret. Earlier tokens remain valid. Five wrong secrets from one address lock the key there for 15 minutes.
         */
        post: operations<Decimal>["authenticate"];
    };
    "/api/v1/authentication/revoke": {
        /**
         * Revoke a token, or all tokens of a key
         * @description With `authorization: Bearer <token>`: revokes that token. With a client key and its secret instead: revokes all live tokens of that key, which stays valid. The tokens are rejected everywhere within two seconds, and the FIX streams that use them end.
         */
        post: operations<Decimal>["revokeTokens"];
    };
    "/api/v1/lockFx/getFxRate": {
        /**
         * Rate that can be locked
         * @description The rate of this moment for a hold of some length, signed: it can be locked for 30 seconds.
         */
        get: operations<Decimal>["getLockableRate"];
    };
    "/api/v1/lockFx/lockFxRate": {
        /**
         * Lock a rate
         * @description Holds the rate of a signature from now on. The same signature always returns the same hold. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars; a two-way hold counts once, by its larger side.
         */
        get: operations<Decimal>["lockRate"];
        /**
         * Lock a rate, as a POST
         * @description Holds the rate of a signature from now on. The same signature always returns the same hold. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars; a two-way hold counts once, by its larger side.
         */
        post: operations<Decimal>["lockRateByPost"];
    };
    "/api/v1/lockFx/releaseFxRate": {
        /**
         * Release a held rate
         * @description Releases an unused hold; a repeated release returns the same answer.
         */
        post: operations<Decimal>["releaseHold"];
    };
    "/api/v1/lockFx/hold/{fx_hold_id}": {
        /**
         * Read a held rate
         * @description The current state of a hold of the client, of REST or of FIX, by its id. A two-way hold has `side: both`; its other fields name the direction of its request, and for FIX that which sells the first currency of the pair.
         */
        get: operations<Decimal>["readHeldRate"];
    };
    "/api/v1/fund/create": {
        /**
         * Announce money for an account
         * @description Announces an incoming transfer. It is PENDING until it is matched: then it becomes COMPLETED and the balance rises, or REJECTED. With a request_id, the same command repeats the first answer, with `Idempotent-Replayed: true`, and another command is rejected with 409.
         */
        post: operations<Decimal>["createFunding"];
    };
    "/api/v1/fund/reference/{gl_reference_number}": {
        /**
         * Read a funding entry
         * @description The current state of the entry.
         */
        get: operations<Decimal>["readFunding"];
    };
    "/api/v1/fund": {
        /**
         * List funding entries
         * @description The client’s funding entries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listFundings"];
    };
    "/api/v1/payments/create": {
        /**
         * Send a payment
         * @description Pays destination_amount, or with 0 there the value of equivalent_amount at the client's rate of this moment, from the account named, or from the default one in the payment currency; the fee is on top. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request.
         */
        post: operations<Decimal>["createPayment"];
    };
    "/api/v2/payouts": {
        /**
         * Send a payout
         * @description The second version: nested, and rejects unknown fields. Exactly one amount is given: destination_amount, what the beneficiary is paid, or source_amount, all that leaves the source account, which then pays alone. With fee_payer OUR the fee is on top of destination_amount and within source_amount; with BEN it comes out of what is delivered. With fx_hold_id the source account is sold at the held rate, which is used by that. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request.
         */
        post: operations<Decimal>["createPayout"];
    };
    "/api/v1/payments/id/{payment_id}": {
        /**
         * Read a payment by its id
         * @description The current state of the payment.
         */
        get: operations<Decimal>["readPayment"];
    };
    "/api/v1/payments/reference/{reference_number}": {
        /**
         * Read a payment by your own number
         * @description The current state of the payment.
         */
        get: operations<Decimal>["readPaymentByReference"];
    };
    "/api/v1/payments/id/{payment_id}/cancel": {
        /**
         * Cancel a payment
         * @description Until it is sent to the beneficiary’s bank: it becomes USER_REJECTED and is refunded in full, fee included, to the account that paid and in its currency; a conversion made for it is not reversed. From PG_PROCESSING on it is rejected with NOT_CANCELLABLE and its status.
         */
        post: operations<Decimal>["cancelPayment"];
    };
    "/api/v1/payments/id/{payment_id}/information": {
        /**
         * Answer a request for information
         * @description For a payment in INFO_REQUESTED, whose status_description has the question: it returns to compliance. In any other status it is rejected with WRONG_STATE.
         */
        post: operations<Decimal>["answerInformation"];
    };
    "/api/v1/payments": {
        /**
         * List payments
         * @description The client’s payments of both versions. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listPayments"];
    };
    "/api/v1/payments/validate": {
        /**
         * Validate a payment
         * @description The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked.
         */
        post: operations<Decimal>["validatePayment"];
    };
    "/api/v2/payouts/validate": {
        /**
         * Validate a payout
         * @description The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked.
         */
        post: operations<Decimal>["validatePayout"];
    };
    "/api/v1/reference/required-details": {
        /**
         * What a payment needs
         * @description A JSON Schema of the fields that a payment to this country, in this currency and by this method needs, with conditions as if and then. It is generated from the rules that validate payments. With `for=beneficiary` it is the schema of the body of `POST /api/v1/beneficiaries`: the fields that a stored beneficiary has of them.
         */
        get: operations<Decimal>["requiredDetails"];
    };
    "/api/v1/batches": {
        /**
         * List batches
         * @description The client’s batches. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listBatches"];
        /**
         * Create a batch
         * @description Creates an empty batch of payments from one account, `OPEN`. Then add items, validate, close and fund it. The same request again answers with the same batch, with `Idempotent-Replayed: true`. A client has at most 100 batches that have not ended.
         */
        post: operations<Decimal>["createBatch"];
    };
    "/api/v1/batches/{batch_id}": {
        /**
         * Read a batch
         * @description Its status, how many items are pending, created, refused and cancelled, their amounts, and how many of its payments have each status.
         */
        get: operations<Decimal>["readBatch"];
    };
    "/api/v1/batches/{batch_id}/items": {
        /**
         * List items
         * @description The items of a batch in order, with what has become of each.
         */
        get: operations<Decimal>["listBatchItems"];
        /**
         * Add items
         * @description Adds items to a batch that is not closed: all of them, or none. The same item again changes nothing, so that a request may be repeated; with other content it is rejected with 409, or replaced where `replace` is true. As JSON, or as CSV with the names of the fields in the first record, nested ones as `beneficiary.name`. 512 KiB at most. The fields of the payments are checked by the validation.
         */
        post: operations<Decimal>["addBatchItems"];
    };
    "/api/v1/batches/{batch_id}/items/{item_id}": {
        /**
         * Remove an item
         * @description Removes an item from a batch that is not closed.
         */
        delete: operations<Decimal>["removeBatchItem"];
    };
    "/api/v1/batches/{batch_id}/validate": {
        /**
         * Validate a batch
         * @description Checks every item as the creation of its payment does, and answers with all faults of all items. Without any, the batch is `VALIDATED`. An item in another currency than the account names source_amount.
         */
        post: operations<Decimal>["validateBatch"];
    };
    "/api/v1/batches/{batch_id}/close": {
        /**
         * Close a batch
         * @description A validated batch becomes `CLOSED`: its items cannot change any more.
         */
        post: operations<Decimal>["closeBatch"];
    };
    "/api/v1/batches/{batch_id}/fund": {
        /**
         * Fund a batch
         * @description Reserves the total of a closed batch, with the fees of this moment, and begins to make its payments: `PROCESSING`, then `DONE`. Needs the right pay. Repeating it funds nothing twice.
         */
        post: operations<Decimal>["fundBatch"];
    };
    "/api/v1/batches/{batch_id}/cancel": {
        /**
         * Cancel a batch
         * @description Cancels what has not become a payment, and returns the rest of the reserve to the account. Payments that exist are not touched: each can be cancelled by itself.
         */
        post: operations<Decimal>["cancelBatch"];
    };
    "/api/v1/batches/{batch_id}/results": {
        /**
         * Results of a batch
         * @description Every item in order, with its payment and that payment’s status, or why it was refused. As CSV with `format=csv`, or where Accept names text/csv; there, a text that a spreadsheet would take as a formula has an apostrophe in front.
         */
        get: operations<Decimal>["batchResults"];
    };
    "/api/v1/balance/all": {
        /**
         * Balances of all accounts
         * @description Every account of the client with what is available in it.
         */
        get: operations<Decimal>["listBalances"];
    };
    "/api/v1/balance/currency/{currency}": {
        /**
         * Balances in one currency
         * @description The accounts in this currency; an empty list where the client has none.
         */
        get: operations<Decimal>["listCurrencyBalances"];
    };
    "/api/v1/balance/account/{account_number}": {
        /**
         * Balance of one account
         * @description A list of this one account.
         */
        get: operations<Decimal>["readBalance"];
    };
    "/api/v1/balance/account/{account_number}/entries": {
        /**
         * Statement of one account
         * @description The credits and debits of the account, with the balance after each. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listAccountEntries"];
    };
    "/api/v1/account": {
        /**
         * List all accounts
         * @description All accounts of the client, closed and blocked ones too.
         */
        get: operations<Decimal>["listAccounts"];
    };
    "/api/v1/trading/state": {
        /**
         * Read your trading state
         * @description The state that is set for your company. While it is HALTED, rates, holds, conversions and payments that need a conversion are rejected with MARKET_CLOSED.
         */
        get: operations<Decimal>["readTradingState"];
    };
    "/api/v1/trading/halt": {
        /**
         * Stop all your trading
         * @description Halts your company at once, over REST and at every FIX session: no rate, no hold, no conversion. Streams lose their prices, and holds of FIX sessions are withdrawn. Only we can resume it. The same call again changes nothing and has the same answer. A body is optional.
         */
        post: operations<Decimal>["haltTrading"];
    };
    "/api/v1/sub-clients": {
        /**
         * List your sub-clients
         * @description For platforms. In order of their ids.
         */
        get: operations<Decimal>["listSubClients"];
        /**
         * Create a sub-client
         * @description For platforms. The new client has accounts, balances, margins, limits and webhooks of its own, and is dealt for with the header `x-on-behalf-of`. The same name again is answered by 409 CLIENT_EXISTS. A platform has 10,000 sub-clients at most.
         */
        post: operations<Decimal>["createSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}": {
        /**
         * Read a sub-client
         * @description For platforms. One of another platform is answered as an unknown one.
         */
        get: operations<Decimal>["readSubClient"];
        /**
         * Change a sub-client
         * @description For platforms. What is left out stays. A disabled sub-client is refused everywhere: its own tokens and FIX sessions end, and `x-on-behalf-of` with its id is answered by 403. One that we have disabled is enabled by us alone: WRONG_STATE.
         */
        patch: operations<Decimal>["changeSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}/margins": {
        /**
         * List the margins of a sub-client
         * @description For platforms. What you add for this sub-client, not what applies to all of them.
         */
        get: operations<Decimal>["listSubClientMargins"];
        /**
         * Set a margin of a sub-client
         * @description For platforms. It is added to your own margin, in prices, holds and quotes alike, within a second. The nearest applies: that of the sub-client before that of all, within these that of the pair before that of all pairs. Its part of the margin of each conversion is credited to you with the conversion: docs/platforms.md. At most 1,000.
         */
        post: operations<Decimal>["setSubClientMargin"];
        /**
         * Remove a margin of a sub-client
         * @description For platforms. The next nearest applies; without one nothing is added.
         */
        delete: operations<Decimal>["removeSubClientMargin"];
    };
    "/api/v1/beneficiaries": {
        /**
         * List beneficiaries
         * @description The client’s beneficiaries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listBeneficiaries"];
        /**
         * Store a beneficiary
         * @description Stores who is paid and where, checked by the rules of the corridor as far as they do not depend on a payment: `GET /api/v1/reference/required-details?for=beneficiary` has them. An account, in whatever notation, is in one beneficiary only: another one is rejected with 409 DUPLICATE_BENEFICIARY, which names the first as `beneficiary_id`. A client has 10,000 at most.
         */
        post: operations<Decimal>["createBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}": {
        /**
         * Read a beneficiary
         * @description The newest version, or an earlier one, such as a payment shows as beneficiary_version.
         */
        get: operations<Decimal>["readBeneficiary"];
        /**
         * Change a beneficiary
         * @description Changes the fields that are sent; an empty text removes one. The whole is checked as at its creation, and becomes a new version; payments that were made keep theirs. With If-Match another version than that one is rejected with 409 VERSION_CONFLICT. One beneficiary takes 100 changes.
         */
        patch: operations<Decimal>["changeBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/disable": {
        /**
         * Disable a beneficiary
         * @description Payments that name it are rejected with BENEFICIARY_DISABLED, until it is enabled; those that were made are paid.
         */
        post: operations<Decimal>["disableBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/enable": {
        /**
         * Enable a beneficiary
         * @description Payments can name it again.
         */
        post: operations<Decimal>["enableBeneficiary"];
    };
    "/api/v1/events": {
        /**
         * List events
         * @description What has happened to the client’s resources, the oldest first, in order of a sequence without gaps: for programs that poll, and to catch up after an outage of an endpoint. Send `next_after` as `after` for what follows. Events are kept for 30 days, and at most 100,000: where some of those asked for are gone the answer is 400 EVENTS_GONE, with `oldest_sequence`. A request reads at most a thousand events: with selective types a page may be short or empty. Before the first webhook endpoint of a client, and unless we have switched them on, there are no events: 400 WRONG_STATE.
         */
        get: operations<Decimal>["listEvents"];
    };
    "/api/v1/events/{event_id}": {
        /**
         * Read an event
         * @description One event, as it was delivered. One that is no longer kept is rejected with EVENTS_GONE.
         */
        get: operations<Decimal>["readEvent"];
    };
    "/api/v1/sandbox/payments/{payment_id}/{outcome}": {
        /**
         * Decide about a payment
         * @description Leads a payment of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404. From then on the sandbox does nothing by itself, but for a payment left in COMPLIANCE_APPROVED, which is sent a day later by your clock. A payment whose beneficiary's name has the word MANUAL waits for outcomes from the beginning.
         *
         *     | outcome | becomes | from |
         *     | --- | --- | --- |
         *     | `compliance-verification` | COMPLIANCE_VERIFICATION | IN_PROCESS, INFO_REQUESTED |
         *     | `info-requested` | INFO_REQUESTED | IN_PROCESS, COMPLIANCE_VERIFICATION |
         *     | `approved` | COMPLIANCE_APPROVED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED, ERROR |
         *     | `rejected` | COMPLIANCE_REJECTED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED |
         *     | `processing` | PG_PROCESSING | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR, PG_PROCESSING with another sub_status |
         *     | `paid` | PAID | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, ERROR |
         *     | `returned` | RETURNED | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, PAID, ERROR |
         *     | `error` | ERROR | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING |
         *     | `cancelled` | CANCELLED | IN_PROCESS, AWAITING_FUNDS, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR |
         *     | `expired` | CANCELLED | AWAITING_FUNDS |
         *
         *     A payment is RETURNED before PAID with all steps on the way but that one, and after it as a late return. `sub_status` goes with processing and paid: SENT_TO_BENEFICIARY_BANK_ACCOUNT, SENT_TO_BENEFICIARY_BANK, PROCESSED_BY_CLEARING, DEEMED_PAID, TIMED_OUT.
         */
        post: operations<Decimal>["sandboxPayment"];
    };
    "/api/v1/sandbox/fundings/{gl_reference_number}/{outcome}": {
        /**
         * Decide about a funding
         * @description Decides about a funding of yours, before the sandbox does so by itself. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404.
         *
         *     | outcome | becomes | from |
         *     | --- | --- | --- |
         *     | `completed` | COMPLETED | PENDING |
         *     | `rejected` | REJECTED | PENDING |
         *     | `cancelled` | CANCELLED | PENDING |
         *     | `reversed` | REVERSED | COMPLETED |
         *
         *     The same decision again gets the same answer.
         */
        post: operations<Decimal>["sandboxFunding"];
    };
    "/api/v1/sandbox/conversions/{confirmation_id}/{outcome}": {
        /**
         * Decide about a conversion
         * @description Leads a conversion of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404.
         *
         *     | outcome | becomes | from |
         *     | --- | --- | --- |
         *     | `settled` | SETTLED | OPEN, OVERDUE |
         *     | `overdue` | OVERDUE | OPEN |
         *     | `cancelled` | CANCELLED | OPEN, OVERDUE |
         *     | `closed-out` | CANCELLED, with the difference to the market charged or credited | OVERDUE |
         *     | `busted` | CANCELLED, its moves reversed | OPEN, OVERDUE, SETTLED |
         *     | `corrected` | the same status, at a rate that is worse by a hundredth | OPEN, OVERDUE, SETTLED |
         *
         *     One that cannot settle, because its sell account lacks the money, is rejected and stays as it is.
         */
        post: operations<Decimal>["sandboxConversion"];
    };
    "/api/v1/sandbox/clock": {
        /**
         * Read your clock
         * @description The time by which your holds end, your conversions settle and your payments expire. Where the ports are not sandboxes the path answers 404.
         */
        get: operations<Decimal>["sandboxClock"];
        /**
         * Advance your clock
         * @description Moves the clock of this client alone: what is due until then happens within a second or two. Ends of holds, settlement and the 30 days of a payment without funds go by it; tokens, rates, market hours and request ids do not. Only forward, by 366 days in all. A settlement date stays the agreed one. After a lost answer read the clock before you advance it again, or send `until`, which may be repeated. Where the ports are not sandboxes the path answers 404.
         */
        post: operations<Decimal>["advanceSandboxClock"];
    };
    "/api/v1/webhooks": {
        /**
         * List your endpoints
         * @description All of them, at most 16, without their secrets.
         */
        get: operations<Decimal>["listWebhooks"];
        /**
         * Create an endpoint
         * @description Registers an address that events are sent to from now on, signed as Standard Webhooks says. The secret is in this answer alone. At most 16: then WEBHOOK_LIMIT. The first endpoint switches your events on. Needs the right `manage`.
         */
        post: operations<Decimal>["createWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}": {
        /**
         * Read an endpoint
         * @description The endpoint without its secret; its ETag is its version.
         */
        get: operations<Decimal>["readWebhook"];
        /**
         * Remove an endpoint
         * @description With its deliveries: nothing more is sent to it. Your events stay on.
         */
        delete: operations<Decimal>["removeWebhook"];
        /**
         * Change an endpoint
         * @description What is absent stays. An endpoint that is not active keeps its place in the sequence: once it is active again it gets what has happened meanwhile, as far as events are kept.
         */
        patch: operations<Decimal>["changeWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        /**
         * Rotate the secret of an endpoint
         * @description A new secret, in this answer alone. For 24 hours each delivery has two signatures, by the new secret and by the one before. A second rotation within that time ends the older one.
         */
        post: operations<Decimal>["rotateWebhookSecret"];
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        /**
         * List the deliveries of an endpoint
         * @description By event, with every attempt. Kept are those that are PENDING and the newest others, 10,000 at most. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.
         */
        get: operations<Decimal>["listDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        /**
         * Deliver events again
         * @description One event by its id, or those of a range of sequences or of times whose types the endpoint has; at most 1,000 in one request. They have the same ids and bodies as before, and their schedule begins anew.
         */
        post: operations<Decimal>["replayDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        /**
         * Send a test event
         * @description An event of type `test`, which this endpoint alone gets, whatever its types. Read the deliveries for what came of it. WRONG_STATE: the endpoint is not active.
         */
        post: operations<Decimal>["testWebhook"];
    };
    "/api/v1/payee-verifications": {
        /**
         * Verify a payee
         * @description Asks the bank of an account whether it is in this name, by Verification of Payee for euro in SEPA and by Confirmation of Payee for sterling in the United Kingdom. Send the fields, or `beneficiary_id`. The answer is kept nowhere but in `verification_token`, which a payment of this client to this name and account may carry for ten minutes; the payment shows it. The operator decides which answers are enough, and with which the payment waits.
         */
        post: operations<Decimal>["verifyPayee"];
    };
}
export interface webhooks<Decimal = number> {
    event: {
        /**
         * An event is delivered
         * @description Sent to each active endpoint whose types include it, signed, and of one resource in order. Any other answer than 2xx within 20 seconds, or none, is followed by further attempts, ten in three days. The same event may come twice, with the same webhook-id.
         */
        post: operations<Decimal>["receiveEvent"];
    };
}
export interface components<Decimal = number> {
    schemas: {
        /** @description An event, as a webhook carries it */
        EventBody: {
            /**
             * @description What has happened
             * @enum {string}
             */
            type: "payment.created" | "payment.awaiting_funds" | "payment.compliance" | "payment.info_requested" | "payment.processing" | "payment.paid" | "payment.returned" | "payment.rejected" | "payment.cancelled" | "payment.expired" | "payment.error" | "conversion.booked" | "conversion.settled" | "conversion.overdue" | "conversion.cancelled" | "conversion.changed" | "conversion.split" | "conversion.busted" | "hold.locked" | "hold.used" | "hold.expired" | "hold.revoked" | "funding.created" | "funding.completed" | "funding.rejected" | "funding.reversed" | "funding.cancelled" | "account.opened" | "account.changed" | "key.rotated" | "key.revoked" | "beneficiary.created" | "beneficiary.changed" | "beneficiary.disabled" | "verification.completed" | "batch.created" | "batch.validated" | "batch.closed" | "batch.processing" | "batch.done" | "batch.cancelled" | "limit.warning" | "webhook.disabled" | "test";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            /** @description Number of the event, from 1, without gaps */
            sequence: number;
            /** @description What it has happened to */
            data: {
                /** @description The resource as its own path showed it at that moment; empty where it is no longer kept */
                object: {
                    [key: string]: unknown;
                };
                /** @description The fields of it that have changed, with their values before; empty for its first event */
                previous: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The client’s rate of this moment */
        FxRate: {
            /** @description Currency that is sold */
            sell_currency: string;
            /** @description Currency that is bought */
            buy_currency: string;
            /** @description Rate of the provider: units of the bought currency for one of the sold */
            fx_rate: Decimal;
            /** @description Margin of the client for this pair, percent */
            margin: Decimal;
            /** @description Rate of the client: what a conversion booked now gets */
            instarem_fx_rate: Decimal;
            /**
             * Format: date-time
             * @description When a conversion booked now expires or settles
             */
            expiry_at: string;
            /**
             * Format: date-time
             * @description Until when the price itself holds
             */
            valid_until: string;
            /** @description What would be sold; only where an amount was asked about */
            sell_amount?: Decimal;
            /** @description What would be bought; only where an amount was asked about */
            buy_amount?: Decimal;
        };
        /** @description A conversion between two accounts of the client */
        BookFxConfirmation: {
            /** @description Id of the conversion */
            confirmation_id: string;
            /** @description What was bought */
            buy_amount: Decimal;
            /** @description What was sold */
            sell_amount: Decimal;
            /** @description Account that was bought into */
            from_account: number;
            /** @description Account that was sold from */
            to_account: number;
            /** @description Currency that was bought */
            buy_currency: string;
            /** @description Currency that was sold */
            sell_currency: string;
            /** @description Rate of the client: units of the bought currency for one of the sold */
            instarem_fx_rate: Decimal;
            /** @description Rate of the provider */
            fx_rate: Decimal;
            /** @description Margin of the client, percent */
            margin_percent: Decimal;
            /** @description Distance between the two rates */
            margin_value: Decimal;
            /**
             * Format: date-time
             * @description When it was booked
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it settles; for one that settled at once, 12 hours on
             */
            expiry_at: string;
            /**
             * @description Status of the conversion
             * @enum {string}
             */
            status: "OPEN" | "SETTLED" | "OVERDUE" | "CANCELLED" | "SPLIT";
            /**
             * Format: date
             * @description Value date
             */
            settlement_date: string;
            /** @description Same as from_account */
            buy_account: number;
            /** @description Same as to_account */
            sell_account: number;
            /** @description The conversion that was split into this one and others; absent: it was booked by itself */
            parent_id?: string;
            /** @description What the client has changed of it, the oldest first; absent: nothing */
            changes?: components<Decimal>["schemas"]["ConversionChange"][];
        };
        /** @description A change of a conversion by its client */
        ConversionChange: {
            /** @description Id of the conversion */
            confirmation_id: string;
            /**
             * @description Which change
             * @enum {string}
             */
            type: "cancel" | "date" | "split";
            /**
             * @description Whether the client is charged, gains, or neither
             * @enum {string}
             */
            kind: "charge" | "gain" | "none";
            /** @description The charge or the gain, 0 or more */
            amount: Decimal;
            /** @description Its currency: that of the account sold from */
            currency: string;
            /** @description Rate of the provider that the amount comes from: of a cancellation units of the sold currency for one of the bought, the opposite deal */
            fx_rate: Decimal;
            /** @description The same of the client, with the margin */
            instarem_fx_rate: Decimal;
            /** @description Margin of the client in it, percent */
            margin_percent: Decimal;
            /**
             * Format: date
             * @description Value date after the change; of a cancellation the one that it had
             */
            settlement_date: string;
            /** @description The client’s id of the request */
            request_id: string;
            /** @description The client’s own words; empty without */
            reason: string;
            /**
             * @description Status of the conversion right after the change
             * @enum {string}
             */
            status: "CANCELLED" | "OPEN" | "SPLIT";
            /** @description Part of a charge that the account did not have, and that is owed */
            receivable_amount: Decimal;
            /** @description Of a split: the conversions that it has made; else empty */
            children: {
                /** @description Id of the conversion */
                confirmation_id: string;
                /** @description What it sells */
                sell_amount: Decimal;
                /** @description What it buys */
                buy_amount: Decimal;
            }[];
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
        };
        /** @description Conversions of the client */
        BookFxList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["BookFxConfirmation"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description Why the rate of a conversion was what it was */
        BookFxPrice: {
            /** @description Id of the conversion */
            confirmation_id: string;
            /** @description Currency that was sold */
            sell_currency: string;
            /** @description Currency that was bought */
            buy_currency: string;
            /** @description Rate of the provider: units of the bought currency for one of the sold */
            fx_rate: Decimal;
            /** @description Rate of the client */
            instarem_fx_rate: Decimal;
            /** @description Margin of the client, percent, in all its parts */
            margin_percent: Decimal;
            /** @description Distance between the two rates */
            margin_value: Decimal;
            /** @description Mid of the provider’s best prices at that moment; absent where it is not known, as of conversions booked by an earlier release */
            mid_rate?: Decimal;
            /** @description Age of the oldest quote of the price, when it was made; of a streamed price when it was booked. Absent as of an earlier release */
            age_ms?: Decimal;
            /**
             * @description market: the price of the moment; streamed, quote: one that a desk had been sent; empty as of an earlier release
             * @enum {string}
             */
            source: "market" | "streamed" | "quote" | "";
            /** @description The hold whose price it is, else empty */
            fx_hold_id: string;
            /** @description Providers of the price, of a cross those of both legs; empty where they are not disclosed */
            providers: string[];
        };
        /** @description What a change of a conversion comes to, for 30 seconds */
        ConversionChangeQuote: {
            /** @description To be sent with the command, as it is */
            quote_id: string;
            /**
             * Format: date-time
             * @description Until when the quote binds: 30 seconds
             */
            expires_at: string;
            /** @description Id of the conversion */
            confirmation_id: string;
            /**
             * @description Which change
             * @enum {string}
             */
            type: "cancel" | "date" | "split";
            /**
             * @description Whether the client is charged, gains, or neither
             * @enum {string}
             */
            kind: "charge" | "gain" | "none";
            /** @description The charge or the gain, 0 or more */
            amount: Decimal;
            /** @description Its currency: that of the account sold from */
            currency: string;
            /** @description Rate of the provider that the amount comes from: of a cancellation units of the sold currency for one of the bought, the opposite deal */
            fx_rate: Decimal;
            /** @description The same of the client, with the margin */
            instarem_fx_rate: Decimal;
            /** @description Margin of the client in it, percent */
            margin_percent: Decimal;
            /**
             * Format: date
             * @description Value date after the change; of a cancellation the one that it had
             */
            settlement_date: string;
            /** @description Of a split: the conversions that it makes; else empty */
            children: {
                /** @description What it sells */
                sell_amount: Decimal;
                /** @description What it buys */
                buy_amount: Decimal;
            }[];
        };
        /** @description Changes of conversions */
        ConversionChangeList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["ConversionChange"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description A token of the client */
        Token: {
            /** @description To be sent as `authorization: Bearer <token>` */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires, 24 hours after it was issued
             */
            expires_at: string;
        };
        /** @description What was revoked */
        RevokedTokens: {
            /** @description Always `revoked` */
            status: string;
            /** @description Number of tokens revoked */
            tokens_revoked: number;
        };
        /** @description A rate that can be locked */
        LockableRate: {
            /** @description Currency that is sold */
            source_currency: string;
            /** @description Currency that is bought */
            destination_currency: string;
            /** @description Rate of the provider: units of the bought currency for one of the sold */
            base_fx_rate: Decimal;
            /** @description Margin of the client, percent, with what holding the rate adds */
            margin: Decimal;
            /** @description Rate of the client */
            fx_rate: Decimal;
            /**
             * @description When a conversion at this rate settles
             * @enum {string}
             */
            schedule: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /**
             * Format: date
             * @description Value date
             */
            settlement_date: string;
            /**
             * @description Of a two-way rate only: its one conversion may sell either of the two currencies
             * @enum {string}
             */
            side?: "both";
            /** @description Of a two-way rate only, where the currency named as bought is sold: rate of the provider, units of the source currency for one of the destination currency */
            opposite_base_fx_rate?: Decimal;
            /** @description Likewise: margin of the client, percent */
            opposite_margin?: Decimal;
            /** @description Likewise: rate of the client */
            opposite_fx_rate?: Decimal;
            /** @description To be sent to lockFxRate: the rate, signed */
            rate_signature: string;
            /**
             * Format: date-time
             * @description Until when the rate can be locked
             */
            lock_expiry_at: string;
            /**
             * Format: date-time
             * @description Until when a hold taken now lasts
             */
            hold_expiry_at: string;
            /** @description What would be sold; only where an amount was asked about */
            sell_amount?: Decimal;
            /** @description What would be bought; only where an amount was asked about */
            buy_amount?: Decimal;
        };
        /** @description A rate that is held */
        Hold: {
            /** @description Currency that is sold */
            source_currency: string;
            /** @description Currency that is bought */
            destination_currency: string;
            /** @description Rate of the provider: units of the bought currency for one of the sold */
            base_fx_rate: Decimal;
            /** @description Margin of the client, percent, with what holding the rate adds */
            margin: Decimal;
            /** @description Rate of the client */
            fx_rate: Decimal;
            /**
             * @description When a conversion at this rate settles
             * @enum {string}
             */
            schedule: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /**
             * Format: date
             * @description Value date
             */
            settlement_date: string;
            /**
             * @description Of a two-way rate only: its one conversion may sell either of the two currencies
             * @enum {string}
             */
            side?: "both";
            /** @description Of a two-way rate only, where the currency named as bought is sold: rate of the provider, units of the source currency for one of the destination currency */
            opposite_base_fx_rate?: Decimal;
            /** @description Likewise: margin of the client, percent */
            opposite_margin?: Decimal;
            /** @description Likewise: rate of the client */
            opposite_fx_rate?: Decimal;
            /** @description Id of the hold */
            fx_hold_id: string;
            /**
             * Format: date-time
             * @description Until when the rate is held
             */
            hold_expiry_at: string;
            /**
             * @description Status of the hold
             * @enum {string}
             */
            status: "OPEN" | "USED" | "RELEASED" | "WITHDRAWN" | "EXPIRED";
            /** @description The one amount that it is for, where it was asked for with one */
            sell_amount?: Decimal;
            /** @description The one amount that it is for, where it was asked for with one */
            buy_amount?: Decimal;
        };
        CreatedFunding: {
            /** @description Account to be credited, 12 digits */
            account_number: string;
            /** @description Amount of the entry, in units of its currency */
            amount: Decimal;
            /** @description Currency of the account */
            currency: string;
            /** @description Ledger reference of the entry */
            gl_reference_number: string;
            /**
             * @description Status of the entry
             * @enum {string}
             */
            status: "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" | "REVERSED";
            /**
             * Format: date-time
             * @description When the entry was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status last changed
             */
            updated_at: string;
        };
        Funding: {
            /** @description Ledger reference of the entry */
            gl_reference_number: string;
            /**
             * @description Status of the entry
             * @enum {string}
             */
            status: "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" | "REVERSED";
            /** @description Amount of the entry, in units of its currency */
            amount: Decimal;
            /** @description Currency of the account */
            currency: string;
            /**
             * Format: date-time
             * @description When the entry was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status last changed
             */
            updated_at: string;
        };
        /** @description Funding entries of the client */
        FundingList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["Funding"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        CreatedPayment: {
            /** @description The client's transaction number */
            reference_number: string;
            /** @description Payment id */
            payment_id: string;
            /**
             * @description Status of the payment
             * @enum {string}
             */
            status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /**
             * @description More about the status; often empty
             * @enum {string}
             */
            sub_status: "" | "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT" | "FUNDING_EXPIRED" | "HOLD_EXPIRED" | "RFI_ANSWERED";
            /** @description The status in words; of ERROR with the message of the bank */
            status_description: string;
            /**
             * Format: date-time
             * @description When the payment was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Currency that the beneficiary receives */
            currency: string;
        };
        CreatedPayout: {
            /** @description The client's transaction number */
            reference_number: string;
            /** @description Payment id */
            payment_id: string;
            /**
             * @description Status of the payment
             * @enum {string}
             */
            status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /**
             * @description More about the status; often empty
             * @enum {string}
             */
            sub_status: "" | "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT" | "FUNDING_EXPIRED" | "HOLD_EXPIRED" | "RFI_ANSWERED";
            /** @description The status in words; of ERROR with the message of the bank */
            status_description: string;
            /**
             * Format: date-time
             * @description When the payment was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Currency that the beneficiary receives */
            currency: string;
            /** @description When the held rate expires; empty without one */
            hold_fx_expires_on: string;
        };
        Payment: {
            /** @description The client's transaction number */
            reference_number: string;
            /** @description Payment id */
            payment_id: string;
            /**
             * @description Status of the payment
             * @enum {string}
             */
            status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /** @description Confirmation id of the first conversion made for it; empty without */
            autobookfx_confirmation_id: string;
            /**
             * @description More about the status; often empty
             * @enum {string}
             */
            sub_status: "" | "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT" | "FUNDING_EXPIRED" | "HOLD_EXPIRED" | "RFI_ANSWERED";
            /** @description The status in words; of ERROR with the message of the bank */
            status_description: string;
            /**
             * Format: date-time
             * @description When the payment was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Confirmation number of the beneficiary's bank; empty before */
            payment_reference_number: string;
            /** @description What is paid */
            additional_info: {
                /** @description Currency that the beneficiary receives */
                currency: string;
                /** @description Amount of the payment, with all decimals of its currency; empty while a source amount awaits its funds */
                amount: string;
            };
            /** @description What leaves the account beside what is delivered: the fee, deduct_amount, and what is less than the unit of country and method. As agreed while the payment awaits its funds; empty where only a conversion will tell. Stays when the payment ends: the status determines what was refunded */
            fee_amount: string;
            /** @description Currency of fee_amount */
            fee_currency: string;
            /** @description What the beneficiary receives; as agreed, and empty, as fee_amount */
            delivered_amount: string;
            /** @description Currency of delivered_amount */
            delivered_currency: string;
            /** @description All conversions made for it, in order: at a hold, and by Auto Book FX */
            autobookfx_confirmation_ids: string[];
            /** @description The stored beneficiary that it named; absent without */
            beneficiary_id?: string;
            /** @description The version that its fields are from; absent without */
            beneficiary_version?: number;
            /** @description The verification of the payee that the payment carried; absent without */
            verification?: {
                /**
                 * @description What the bank of the payee has answered
                 * @enum {string}
                 */
                answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
                /** @description The code of the scheme; empty where it has none */
                code: string;
                /**
                 * Format: date-time
                 * @description When it has answered
                 */
                verified_at: string;
            };
        };
        /** @description Payments of the client */
        PaymentList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["Payment"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description A batch of payments from one account */
        BatchSummary: {
            /** @description Batch id */
            batch_id: string;
            /**
             * @description Status of the batch
             * @enum {string}
             */
            status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
            /** @description Counts changes of its items and its status: the ETag */
            version: number;
            /** @description Request id of its creation */
            request_id: string;
            /** @description Text of your own */
            description: string;
            /** @description Account that pays all items */
            source_account: number;
            /** @description Currency of that account, and of all amounts here */
            currency: string;
            /** @description Items of the batch */
            items: number;
            /** @description Items that are not payments yet, of a batch that can still be processed */
            pending: number;
            /** @description Items that have become payments */
            created: number;
            /** @description Items that could not become payments */
            refused: number;
            /** @description Items that had not become payments when the batch was cancelled */
            cancelled: number;
            /** @description What was reserved when the batch was funded; 0 before */
            total_amount: string;
            /** @description What the payments took of it, with their fees */
            created_amount: string;
            /** @description What came back to the account for refused items */
            refused_amount: string;
            /** @description What is still reserved for pending items */
            reserved_amount: string;
            /**
             * Format: date-time
             * @description When the batch was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        /** @description Batches of the client */
        BatchList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["BatchSummary"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description A batch of payments from one account */
        Batch: {
            /** @description Batch id */
            batch_id: string;
            /**
             * @description Status of the batch
             * @enum {string}
             */
            status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
            /** @description Counts changes of its items and its status: the ETag */
            version: number;
            /** @description Request id of its creation */
            request_id: string;
            /** @description Text of your own */
            description: string;
            /** @description Account that pays all items */
            source_account: number;
            /** @description Currency of that account, and of all amounts here */
            currency: string;
            /** @description Items of the batch */
            items: number;
            /** @description Items that are not payments yet, of a batch that can still be processed */
            pending: number;
            /** @description Items that have become payments */
            created: number;
            /** @description Items that could not become payments */
            refused: number;
            /** @description Items that had not become payments when the batch was cancelled */
            cancelled: number;
            /** @description What was reserved when the batch was funded; 0 before */
            total_amount: string;
            /** @description What the payments took of it, with their fees */
            created_amount: string;
            /** @description What came back to the account for refused items */
            refused_amount: string;
            /** @description What is still reserved for pending items */
            reserved_amount: string;
            /**
             * Format: date-time
             * @description When the batch was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description How many of its payments have each status; without those that none has */
            payments: {
                /**
                 * @description Status of payments
                 * @enum {string}
                 */
                status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
                /** @description How many payments of the batch have it */
                count: number;
            }[];
        };
        BatchItemsAdded: {
            /** @description Batch id */
            batch_id: string;
            /**
             * @description Status of the batch
             * @enum {string}
             */
            status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
            /** @description Counts changes of its items and its status: the ETag */
            version: number;
            /** @description Request id of its creation */
            request_id: string;
            /** @description Text of your own */
            description: string;
            /** @description Account that pays all items */
            source_account: number;
            /** @description Currency of that account, and of all amounts here */
            currency: string;
            /** @description Items of the batch */
            items: number;
            /** @description Items that are not payments yet, of a batch that can still be processed */
            pending: number;
            /** @description Items that have become payments */
            created: number;
            /** @description Items that could not become payments */
            refused: number;
            /** @description Items that had not become payments when the batch was cancelled */
            cancelled: number;
            /** @description What was reserved when the batch was funded; 0 before */
            total_amount: string;
            /** @description What the payments took of it, with their fees */
            created_amount: string;
            /** @description What came back to the account for refused items */
            refused_amount: string;
            /** @description What is still reserved for pending items */
            reserved_amount: string;
            /**
             * Format: date-time
             * @description When the batch was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Items that this request has added */
            added: number;
            /** @description Items that it has given other content */
            replaced: number;
            /** @description Items that the batch had already, with this content */
            unchanged: number;
        };
        /** @description Items of a batch, in the order in which they were added */
        BatchItemList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["BatchItem"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        BatchItem: {
            /** @description Your own id of the item */
            item_id: string;
            /**
             * @description CREATED: it is a payment, whose status follows
             * @enum {string}
             */
            status: "PENDING" | "CREATED" | "REFUSED" | "CANCELLED";
            /** @description Transaction number of its payment; empty where none was sent */
            transaction_number: string;
            /** @description Payment id; empty without a payment */
            payment_id: string;
            /**
             * @description Status of the payment
             * @enum {string}
             */
            payment_status: "" | "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /** @description More about that status; often empty */
            payment_sub_status: string;
            /** @description Amount of the payment */
            amount: string;
            /** @description Its currency */
            currency: string;
            /** @description Of a refused item: why */
            code: string;
            /** @description The reason in words */
            message: string;
        };
        BatchValidated: {
            /** @description Batch id */
            batch_id: string;
            /**
             * @description Status of the batch
             * @enum {string}
             */
            status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
            /** @description Counts changes of its items and its status: the ETag */
            version: number;
            /** @description Request id of its creation */
            request_id: string;
            /** @description Text of your own */
            description: string;
            /** @description Account that pays all items */
            source_account: number;
            /** @description Currency of that account, and of all amounts here */
            currency: string;
            /** @description Items of the batch */
            items: number;
            /** @description Items that are not payments yet, of a batch that can still be processed */
            pending: number;
            /** @description Items that have become payments */
            created: number;
            /** @description Items that could not become payments */
            refused: number;
            /** @description Items that had not become payments when the batch was cancelled */
            cancelled: number;
            /** @description What was reserved when the batch was funded; 0 before */
            total_amount: string;
            /** @description What the payments took of it, with their fees */
            created_amount: string;
            /** @description What came back to the account for refused items */
            refused_amount: string;
            /** @description What is still reserved for pending items */
            reserved_amount: string;
            /**
             * Format: date-time
             * @description When the batch was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description No item has a fault: the batch is VALIDATED */
            valid: boolean;
            /** @description Items with faults, in order */
            faults: {
                /** @description Your own id of the item */
                item_id: string;
                /** @description All faults of the item, as the creation of the payment names them */
                errors: {
                    /** @description Name of the field; of a nested one with dots */
                    field: string;
                    /**
                     * @description What is wrong with it
                     * @enum {string}
                     */
                    code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
                    /** @description The same for people */
                    message: string;
                    /** @description Rule of the payment that says so: G8 is a general one, IN.account a country’s */
                    rule?: string;
                }[];
            }[];
            /** @description Further items with faults, which are too many for one answer */
            faults_left_out: number;
        };
        BatchResults: {
            /** @description Batch id */
            batch_id: string;
            /**
             * @description Status of the batch
             * @enum {string}
             */
            status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
            /** @description Counts changes of its items and its status: the ETag */
            version: number;
            /** @description Request id of its creation */
            request_id: string;
            /** @description Text of your own */
            description: string;
            /** @description Account that pays all items */
            source_account: number;
            /** @description Currency of that account, and of all amounts here */
            currency: string;
            /** @description Items of the batch */
            items: number;
            /** @description Items that are not payments yet, of a batch that can still be processed */
            pending: number;
            /** @description Items that have become payments */
            created: number;
            /** @description Items that could not become payments */
            refused: number;
            /** @description Items that had not become payments when the batch was cancelled */
            cancelled: number;
            /** @description What was reserved when the batch was funded; 0 before */
            total_amount: string;
            /** @description What the payments took of it, with their fees */
            created_amount: string;
            /** @description What came back to the account for refused items */
            refused_amount: string;
            /** @description What is still reserved for pending items */
            reserved_amount: string;
            /**
             * Format: date-time
             * @description When the batch was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Every item, in order */
            results: components<Decimal>["schemas"]["BatchItem"][];
        };
        /** @description An account and what is available in it */
        Balance: {
            /** @description Number of the account, 12 digits */
            account_number: number;
            /** @description Currency of the account */
            currency: string;
            /** @description Turn of the account in Auto Book FX, the lowest first; 0: not used for it */
            auto_bookfx_sequence: number;
            /** @description Whether the account can be used */
            active: boolean;
            /** @description Whether it is the default account of its currency */
            default: boolean;
            /** @description Label of the account; may be empty */
            label: string;
            /** @description What is available in the account, in units of its currency */
            balance: Decimal;
        };
        /** @description Statement of one account */
        AccountEntryList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["AccountEntry"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description A credit or a debit of an account */
        AccountEntry: {
            /** @description Id of the entry, unique within the account */
            entry_id: string;
            /**
             * Format: date-time
             * @description When it happened
             */
            created_at: string;
            /**
             * @description What it is about
             * @enum {string}
             */
            type: "book-fx" | "deposit" | "funding" | "funding-reversal" | "payment" | "refund" | "adjustment" | "repayment" | "close-out" | "bust" | "correction" | "platform-share" | "cancellation" | "batch";
            /** @description Confirmation id of a conversion, id of a payment, ledger reference of a funding, reference of a deposit, or what an adjustment corrects */
            reference: string;
            /** @description Amount credited, or below 0 debited */
            amount: Decimal;
            /** @description Currency of the account */
            currency: string;
            /** @description Balance of the account after this entry */
            balance: Decimal;
            /** @description Change of the receivable by this entry, or below 0 what was repaid of it */
            receivable: Decimal;
        };
        /** @description An account of the client */
        Account: {
            /** @description Number of the account, 12 digits */
            account_number: number;
            /** @description Currency of the account */
            currency: string;
            /** @description Turn of the account in Auto Book FX, the lowest first; 0: not used for it */
            auto_bookfx_sequence: number;
            /** @description Whether the account can be used */
            active: boolean;
            /** @description Whether it is the default account of its currency */
            default: boolean;
            /** @description Label of the account; may be empty */
            label: string;
        };
        /** @description Whether the client may deal */
        TradingState: {
            /**
             * @description ACTIVE; REDUCING: only deals that lower your exposure; HALTED: none
             * @enum {string}
             */
            state: "ACTIVE" | "REDUCING" | "HALTED";
            /** @description When it was set; empty while ACTIVE */
            since: string;
            /**
             * @description Who set it: your own request, or us; empty while ACTIVE
             * @enum {string}
             */
            by: "" | "client" | "operator";
        };
        /** @description A client of the platform */
        SubClient: {
            /** @description Its id: what x-on-behalf-of names */
            sub_client_id: string;
            /** @description Its name, for people */
            title: string;
            /**
             * @description Type of a conversion that names none
             * @enum {string}
             */
            default_type: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
            /** @description It is refused everywhere */
            disabled: boolean;
            /** @description Currencies that it has accounts in */
            currencies: string[];
            /**
             * Format: date-time
             * @description When it was created
             */
            created_at: string;
        };
        /** @description Sub-clients of the platform, in order of their ids */
        SubClientList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["SubClient"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description What a platform adds to its own margin */
        SubClientMargin: {
            /** @description The sub-client, or * for all that have no margin of their own */
            sub_client_id: string;
            /** @description Pair in market convention, or * */
            pair: string;
            /** @description What is added to your own margin, percent */
            margin: Decimal;
        };
        Beneficiary: {
            /** @description Beneficiary id */
            beneficiary_id: string;
            /** @description Counts its changes, from 1; also the ETag of the answer */
            version: number;
            /**
             * @description DISABLED: payments that name it are refused
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /** @description Currency that the beneficiary receives */
            destination_currency: string;
            /**
             * @description How the beneficiary is paid
             * @enum {string}
             */
            payout_method: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
            /** @description Kind of the routing code */
            routing_code_type_1?: string;
            /** @description Routing code of the matching type */
            routing_code_value_1?: string;
            /** @description Kind of the routing code */
            routing_code_type_2?: string;
            /** @description Routing code of the matching type */
            routing_code_value_2?: string;
            /** @description Kind of the routing code */
            routing_code_type_3?: string;
            /** @description Routing code of the matching type */
            routing_code_value_3?: string;
            /** @description Who is paid: the fields that were sent; of a card number the last four digits */
            beneficiary: {
                /** @description 8 to 16 characters, digits with an optional + in front (E.164) */
                contact_number?: string;
                /** @description Date of birth, YYYY-MM-DD */
                dob?: string;
                /** @description City */
                city?: string;
                /** @description State, province or region */
                state?: string;
                /** @description Postal code */
                postcode?: string;
                /** @description Street address */
                address?: string;
                /** @description Beneficiary's name */
                name?: string;
                /** @description Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */
                country_code?: string;
                /** @description Email address */
                email?: string;
                /** @description Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
                account_type?: string;
                /** @description Wallet, mostly a telephone number; mandatory for WALLET */
                wallet_id?: string;
                /** @description Account number or IBAN; mandatory for BANK */
                account_number?: string;
                /** @description Checking, Saving or Maestra */
                bank_account_type?: string;
                /** @description Name of the beneficiary's bank */
                bank_name?: string;
                /** @description Code of the beneficiary's bank, beside the routing codes */
                bank_code?: string;
                /** @description Kind of document; type and value come together */
                identification_type?: string;
                /** @description Number of the document; its check digits are looked at */
                identification_value?: string;
                /** @description Card number; mandatory for CARD */
                card_number?: string;
                /** @description Month in which the card expires, YYYY-MM */
                card_expiry_date?: string;
                /** @description Relationship between remitter and beneficiary */
                relationship?: string;
            };
            /**
             * Format: date-time
             * @description When the beneficiary was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        /** @description Beneficiaries of the client */
        BeneficiaryList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["Beneficiary"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description Events of the client */
        EventList: {
            /** @description In order of their sequence */
            data: components<Decimal>["schemas"]["Event"][];
            /** @description To be sent as `after` for the events behind this page, now or later */
            next_after: number;
            /** @description The oldest event that is kept */
            oldest_sequence: number;
            /** @description The newest event; 0 before the first */
            newest_sequence: number;
        };
        /** @description Something that has happened to a resource of the client */
        Event: {
            /** @description Id of the event, the same in webhook-id at each delivery */
            id: string;
            /**
             * @description What has happened
             * @enum {string}
             */
            type: "payment.created" | "payment.awaiting_funds" | "payment.compliance" | "payment.info_requested" | "payment.processing" | "payment.paid" | "payment.returned" | "payment.rejected" | "payment.cancelled" | "payment.expired" | "payment.error" | "conversion.booked" | "conversion.settled" | "conversion.overdue" | "conversion.cancelled" | "conversion.changed" | "conversion.split" | "conversion.busted" | "hold.locked" | "hold.used" | "hold.expired" | "hold.revoked" | "funding.created" | "funding.completed" | "funding.rejected" | "funding.reversed" | "funding.cancelled" | "account.opened" | "account.changed" | "key.rotated" | "key.revoked" | "beneficiary.created" | "beneficiary.changed" | "beneficiary.disabled" | "verification.completed" | "batch.created" | "batch.validated" | "batch.closed" | "batch.processing" | "batch.done" | "batch.cancelled" | "limit.warning" | "webhook.disabled" | "test";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            /** @description Number of the event, from 1, without gaps */
            sequence: number;
            /** @description What it has happened to */
            data: {
                /** @description The resource as its own path showed it at that moment; empty where it is no longer kept */
                object: {
                    [key: string]: unknown;
                };
                /** @description The fields of it that have changed, with their values before; empty for its first event */
                previous: {
                    [key: string]: unknown;
                };
            };
        };
        SandboxClock: {
            /**
             * Format: date-time
             * @description The time of your clock
             */
            now: string;
            /** @description How far it is ahead of the clock of the store, seconds */
            ahead_seconds: number;
            /** @description By how much it can still be advanced, seconds */
            left_seconds: number;
        };
        /** @description A webhook endpoint with its new secret */
        NewWebhook: {
            /** @description Id of the endpoint */
            webhook_id: string;
            /** @description Name of your own */
            name: string;
            /** @description Where events are sent */
            url: string;
            /** @description Types of events, with wildcards */
            types: string[];
            /** @description false: it gets nothing, and continues where it was once it is active again */
            active: boolean;
            /**
             * @description Why it is not active: PAUSED by you, GONE (it answered 410), FAILING (for five days), OPERATOR (we disabled it); else empty
             * @enum {string}
             */
            inactive_reason: "" | "PAUSED" | "GONE" | "FAILING" | "OPERATOR";
            /**
             * @description How deliveries are signed: `v1` or `v1a`
             * @enum {string}
             */
            signature: "symmetric" | "ed25519";
            /** @description Of ed25519: verifies its deliveries; else empty */
            public_key: string;
            /** @description Until when the secret before the last rotation signs too; empty: it does not */
            previous_secret_until: string;
            /** @description Since when no delivery has succeeded; empty: the last one did */
            failing_since: string;
            /** @description Events dropped by their age or number before they could be delivered to it */
            missed_events: number;
            /** @description Raised by each change: the ETag */
            version: number;
            /**
             * Format: date-time
             * @description When it was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updated_at: string;
            /** @description Verifies deliveries; shown now and never again. Empty where the signature is ed25519: use `public_key` */
            secret: string;
        };
        /** @description Your webhook endpoints, in order of creation */
        WebhookList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["Webhook"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description A webhook endpoint */
        Webhook: {
            /** @description Id of the endpoint */
            webhook_id: string;
            /** @description Name of your own */
            name: string;
            /** @description Where events are sent */
            url: string;
            /** @description Types of events, with wildcards */
            types: string[];
            /** @description false: it gets nothing, and continues where it was once it is active again */
            active: boolean;
            /**
             * @description Why it is not active: PAUSED by you, GONE (it answered 410), FAILING (for five days), OPERATOR (we disabled it); else empty
             * @enum {string}
             */
            inactive_reason: "" | "PAUSED" | "GONE" | "FAILING" | "OPERATOR";
            /**
             * @description How deliveries are signed: `v1` or `v1a`
             * @enum {string}
             */
            signature: "symmetric" | "ed25519";
            /** @description Of ed25519: verifies its deliveries; else empty */
            public_key: string;
            /** @description Until when the secret before the last rotation signs too; empty: it does not */
            previous_secret_until: string;
            /** @description Since when no delivery has succeeded; empty: the last one did */
            failing_since: string;
            /** @description Events dropped by their age or number before they could be delivered to it */
            missed_events: number;
            /** @description Raised by each change: the ETag */
            version: number;
            /**
             * Format: date-time
             * @description When it was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updated_at: string;
        };
        /** @description The endpoint and its deliveries are removed */
        RemovedWebhook: {
            /** @description Id of the endpoint */
            webhook_id: string;
        };
        /** @description Deliveries of an endpoint: the open ones, and the newest of those that have ended */
        WebhookDeliveryList: {
            /** @description The newest first; with filters a page may be short, or empty, before the end */
            data: components<Decimal>["schemas"]["WebhookDelivery"][];
            /** @description To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */
            next_cursor: string;
        };
        /** @description The delivery of one event to one endpoint */
        WebhookDelivery: {
            /** @description Id of the event: the `webhook-id` of every attempt */
            event_id: string;
            /** @description Sequence of the event */
            sequence: number;
            /** @description Type of the event */
            type: string;
            /** @description What the event is about */
            resource_id: string;
            /**
             * @description PENDING: an attempt is to come; SUCCEEDED; FAILED: the last attempt failed; GONE: the event is not kept any more
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "GONE";
            /** @description When the next attempt is due; empty: there is none */
            next_attempt_at: string;
            /** @description The newest 20, oldest first */
            attempts: components<Decimal>["schemas"]["DeliveryAttempt"][];
        };
        /** @description One attempt to deliver an event */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When it began
             */
            at: string;
            /** @description Status of the answer; 0: none came */
            http_status: number;
            /**
             * @description Why it failed: `status`, `redirect`, `timeout`, `connection`, `tls`, `name` (not resolved), `address` (not allowed), `protocol`, `secret` (it cannot be read); empty: it succeeded
             * @enum {string}
             */
            reason: "" | "status" | "redirect" | "timeout" | "connection" | "tls" | "name" | "address" | "protocol" | "secret";
        };
        /** @description What is delivered again */
        WebhookReplay: {
            /** @description Id of the endpoint */
            webhook_id: string;
            /** @description Deliveries that are due again; those that were pending already are not counted */
            replayed: number;
            /** @description Sequence of the last event that was looked at */
            last_sequence: number;
            /** @description false: there are more in the range; send it again from the sequence behind the last one */
            complete: boolean;
        };
        /** @description The test event that is delivered now */
        WebhookTest: {
            /** @description Id of the endpoint */
            webhook_id: string;
            /** @description Id of the event: the `webhook-id` of every attempt */
            event_id: string;
            /** @description Sequence of the event */
            sequence: number;
        };
        PayeeVerification: {
            /** @description Id of this verification, as its event has it */
            verification_id: string;
            /**
             * @description MATCH: the account is in this name. CLOSE_MATCH: in one like it, see name. NO_MATCH: in another. NOT_POSSIBLE: the bank does not say
             * @enum {string}
             */
            answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
            /**
             * @description Who was asked; empty where no scheme covers the account
             * @enum {string}
             */
            scheme: "" | "SEPA_VOP" | "UK_COP";
            /** @description The code of the scheme; empty where it has none */
            code: string;
            /** @description The name of the account, with MATCH and CLOSE_MATCH where the bank gives it; else empty */
            name: string;
            /** @description For a payment to this name and account */
            verification_token: string;
            /**
             * Format: date-time
             * @description Until when a payment may carry the token: ten minutes
             */
            expires_at: string;
        };
        /** @description Why a request was refused (RFC 9457) */
        Problem: {
            /** @description The code as a URN */
            type: string;
            /** @description What the code means */
            title: string;
            /** @description The status of the answer */
            status: number;
            /** @description What is wrong this time */
            detail: string;
            /** @description Path of the request */
            instance: string;
            /**
             * @description Why, for programs
             * @enum {string}
             */
            code: "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_LARGE" | "UNSUPPORTED_CONTENT_TYPE" | "BAD_CREDENTIALS" | "KEY_LOCKED" | "TOKEN_REQUIRED" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "NOT_ENTITLED" | "RATE_LIMITED" | "VALIDATION_FAILED" | "HOLD_LIMIT" | "RATE_SIGNATURE_INVALID" | "RATE_SIGNATURE_EXPIRED" | "REQUEST_ID_REUSED" | "VERSION_CONFLICT" | "EVENTS_GONE" | "WEBHOOK_LIMIT" | "DUPLICATE_TRANSACTION" | "DUPLICATE_BENEFICIARY" | "BENEFICIARY_LIMIT" | "UNKNOWN_BENEFICIARY" | "BENEFICIARY_DISABLED" | "NOT_CHANGEABLE" | "QUOTE_INVALID" | "QUOTE_EXPIRED" | "VERIFICATION_INVALID" | "VERIFICATION_EXPIRED" | "VERIFICATION_MISMATCH" | "VERIFICATION_REQUIRED" | "UNKNOWN_ACCOUNT" | "ACCOUNT_INACTIVE" | "ACCOUNT_CURRENCY" | "SAME_CURRENCY" | "BAD_AMOUNT" | "AMOUNT_BELOW_MIN" | "AMOUNT_ABOVE_LIMIT" | "BAD_SETTLEMENT_DATE" | "MARKET_CLOSED" | "NOT_CANCELLABLE" | "HOLD_NOT_FOUND" | "HOLD_USED" | "HOLD_EXPIRED" | "HOLD_MISMATCH" | "RATE_UNAVAILABLE" | "INSUFFICIENT_LIQUIDITY" | "RATE_MOVED" | "CREDIT_LIMIT" | "INSUFFICIENT_BALANCE" | "BALANCE_LIMIT" | "BATCH_LIMIT" | "SUB_CLIENT_LIMIT" | "CLIENT_EXISTS" | "ACCOUNT_LIMIT" | "MARGIN_LIMIT" | "WRONG_STATE" | "STORE_FULL" | "STORE_UNAVAILABLE" | "INTERNAL_ERROR";
            /** @description Same as detail */
            message: string;
            /** @description Id of this answer, also in x-request-id: quote it in questions */
            request_id: string;
            /** @description All faults of the fields, at once; empty for other refusals */
            errors: {
                /** @description Name of the field; of a nested one with dots */
                field: string;
                /**
                 * @description What is wrong with it
                 * @enum {string}
                 */
                code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
                /** @description The same for people */
                message: string;
                /** @description Rule of the payment that says so: G8 is a general one, IN.account a country’s */
                rule?: string;
            }[];
            /** @description What may go wrong besides, in a dry run */
            warnings?: {
                /** @description Name of the field; of a nested one with dots */
                field: string;
                /**
                 * @description What is wrong with it
                 * @enum {string}
                 */
                code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
                /** @description The same for people */
                message: string;
                /** @description Rule of the payment that says so: G8 is a general one, IN.account a country’s */
                rule?: string;
            }[];
            /**
             * @description With 503: none, nothing was executed; unknown, the answer of the store was lost. In both cases send the same request again
             * @enum {string}
             */
            outcome?: "none" | "unknown";
            /** @description What the account has, with INSUFFICIENT_BALANCE */
            available_amount?: Decimal;
            /** @description What it would need, with INSUFFICIENT_BALANCE */
            needed_amount?: Decimal;
            /** @description The payment that there is, with DUPLICATE_TRANSACTION */
            payment_id?: string;
            /** @description Status of the payment, with DUPLICATE_TRANSACTION, NOT_CANCELLABLE and WRONG_STATE */
            payment_status?: string;
            /** @description The beneficiary that has the account, with DUPLICATE_BENEFICIARY */
            beneficiary_id?: string;
            /** @description Status of the batch, with WRONG_STATE */
            batch_status?: string;
            /** @description What it was sent with, with DUPLICATE_TRANSACTION */
            original_request_id?: string;
            /** @description The oldest event that is kept, with EVENTS_GONE */
            oldest_sequence?: number;
            /** @description How many of the events asked for are no longer kept, with EVENTS_GONE */
            dropped?: number;
        };
        QuotedChange: {
            /** @description quote_id of the quote of this change */
            quote_id: string;
            /** @description Unique id of your own; kept for 7 days, in one namespace with those of bookings */
            request_id: string;
            /** @description Your own words, 1 to 140 characters; FIX sessions are sent them too */
            reason?: string;
        };
        PaymentRequest: {
            /** @description Unique id of the request, chosen by the client */
            request_id: string;
            /** @description Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
            transaction_number: string;
            /** @description Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
            destination_currency?: string;
            /** @description Local currency of the beneficiary's country: ISO 4217 code of three upper-case letters. Moves no money */
            local_conversion_currency?: string;
            /** @description What the beneficiary's statement says; some corridors take less than 140 characters */
            statement_narrative: string;
            /** @description Financial institution of the original remitter, where the client pays for another */
            original_remitter_fi?: string;
            /**
             * @description How the beneficiary is paid. Default: BANK
             * @enum {string}
             */
            deposit_method?: "CASH" | "BANK" | "CARD" | "WALLET";
            /**
             * @description How the beneficiary is paid; it must agree with deposit_method. Default: BANK
             * @enum {string}
             */
            payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_1?: string;
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_2?: string;
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_3?: string;
            /** @description Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */
            beneficiary_id?: string;
            /** @description Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old */
            verification_token?: string;
            /** @description Account that pays. Default: the default account in the payment currency */
            account_number?: number;
            /** @description Amount paid to the beneficiary; 0 when equivalent_amount decides */
            destination_amount: Decimal;
            /** @description Amount that is converted into the destination currency; mandatory when destination_amount is 0 */
            equivalent_amount?: Decimal;
            /** @description Currency of equivalent_amount */
            equivalent_currency?: string;
            /** @description Amount deducted from what is delivered */
            deduct_amount?: Decimal;
            /** @description 8 to 16 characters, digits with an optional + in front (E.164) */
            remitter_contact_number?: string;
            /** @description Date of birth, YYYY-MM-DD */
            remitter_dob?: string;
            /** @description City */
            remitter_city?: string;
            /** @description State, province or region */
            remitter_state?: string;
            /** @description Postal code */
            remitter_postcode?: string;
            /** @description Street address */
            remitter_address?: string;
            /** @description Remitter's name; mandatory where the client pays on behalf of others */
            remitter_name?: string;
            /** @description Whether the remitter's name may contain initials */
            remitter_given_name?: boolean;
            /**
             * @description Individual or Company
             * @enum {string}
             */
            remitter_account_type: "Individual" | "Company";
            /** @description Remitter's own bank account */
            remitter_bank_account_number?: string;
            /**
             * @description Kind of document; type and number come together
             * @enum {string}
             */
            remitter_identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
            /** @description Number of the document */
            remitter_identification_number?: string;
            /** @description ISO 3166-1 code of two upper-case letters */
            remitter_country_code?: string;
            /**
             * @description What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade
             * @enum {string}
             */
            remit_purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
            /**
             * @description Source of the remitter's income
             * @default Business Relations
             */
            remitter_source_of_income?: string;
            /** @description Where the money comes from */
            remitter_source_of_funds?: string;
            /** @description Country of birth: ISO 3166-1 code of two upper-case letters */
            remitter_place_of_birth?: string;
            /** @description Nationality: ISO 3166-1 code of two upper-case letters */
            remitter_nationality?: string;
            /**
             * @description Occupation
             * @enum {string}
             */
            remitter_occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
            /** @description 8 to 16 characters, digits with an optional + in front (E.164) */
            beneficiary_contact_number?: string;
            /** @description Date of birth, YYYY-MM-DD */
            beneficiary_dob?: string;
            /** @description City */
            beneficiary_city?: string;
            /** @description State, province or region */
            beneficiary_state?: string;
            /** @description Postal code */
            beneficiary_postcode?: string;
            /** @description Street address */
            beneficiary_address?: string;
            /** @description Beneficiary's name */
            beneficiary_name?: string;
            /** @description Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */
            beneficiary_country_code?: string;
            /** @description Email address */
            beneficiary_email?: string;
            /**
             * @description Individual or Company. Default: Company where the identification is one that companies alone have, else Individual
             * @enum {string}
             */
            beneficiary_account_type?: "Individual" | "Company";
            /** @description Wallet, mostly a telephone number; mandatory for WALLET */
            beneficiary_wallet_id?: string;
            /** @description Account number or IBAN; mandatory for BANK */
            beneficiary_account_number?: string;
            /**
             * @description Checking, Saving or Maestra
             * @enum {string}
             */
            beneficiary_bank_account_type?: "Checking" | "Saving" | "Maestra";
            /** @description Name of the beneficiary's bank */
            beneficiary_bank_name?: string;
            /** @description Code of the beneficiary's bank, beside the routing codes */
            beneficiary_bank_code?: string;
            /**
             * @description Kind of document; type and value come together
             * @enum {string}
             */
            beneficiary_identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
            /** @description Number of the document; its check digits are looked at */
            beneficiary_identification_value?: string;
            /** @description Card number; mandatory for CARD */
            beneficiary_card_number?: string;
            /** @description Month in which the card expires, YYYY-MM */
            beneficiary_card_expiry_date?: string;
            /** @description Relationship between remitter and beneficiary */
            remitter_beneficiary_relationship?: string;
            /** @description About the trade or service that is paid, and for CASH where it is collected */
            additional_info?: {
                /** @description Id of the order that is paid */
                trade_order_id?: string;
                /** @description Time of the order */
                trade_time?: string;
                /** @description Currency of the order: ISO 4217 code of three upper-case letters */
                trade_currency?: string;
                /** @description Amount of the order */
                trade_amount?: Decimal;
                /** @description What was ordered */
                trade_name?: string;
                /** @description How many were ordered */
                trade_count?: number;
                /** @description Who carries the goods */
                goods_carrier?: string;
                /** @description What the service is */
                service_detail?: string;
                /** @description When the service was given */
                service_time?: string;
                /** @description Where the beneficiary collects; mandatory for CASH */
                cash_pickup?: string;
            };
        } & ((unknown | unknown) & (unknown | unknown));
        PayoutRequest: {
            /** @description Unique id of the request, chosen by the client */
            request_id: string;
            /** @description Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
            transaction_number: string;
            /** @description Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
            destination_currency?: string;
            /** @description Local currency of the beneficiary's country: ISO 4217 code of three upper-case letters. Moves no money */
            local_conversion_currency?: string;
            /** @description What the beneficiary's statement says; some corridors take less than 140 characters */
            statement_narrative: string;
            /** @description Financial institution of the original remitter, where the client pays for another */
            original_remitter_fi?: string;
            /**
             * @description How the beneficiary is paid. Default: BANK
             * @enum {string}
             */
            deposit_method?: "CASH" | "BANK" | "CARD" | "WALLET";
            /**
             * @description How the beneficiary is paid; it must agree with deposit_method. Default: BANK
             * @enum {string}
             */
            payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_1?: string;
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_2?: string;
            /**
             * @description Kind of the routing code; which ones, the corridor says. Value and type come together
             * @enum {string}
             */
            routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
            /** @description Routing code of the matching type */
            routing_code_value_3?: string;
            /** @description Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */
            beneficiary_id?: string;
            /** @description Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old */
            verification_token?: string;
            /** @description Account that pays */
            source_account: number;
            /** @description Amount that leaves the source account, in its currency. Exactly one of source_amount and destination_amount */
            source_amount?: Decimal;
            /** @description Amount paid to the beneficiary */
            destination_amount?: Decimal;
            /** @description Destination account number: kept, and moves no money */
            destination_account?: number;
            /**
             * @description Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered
             * @enum {string}
             */
            fee_payer: "OUR" | "BEN";
            remitter: components<Decimal>["schemas"]["RemitterDetails"];
            beneficiary?: components<Decimal>["schemas"]["BeneficiaryDetails"];
            /** @description About the trade or service that is paid, and for CASH where it is collected */
            additional_info?: {
                /** @description Id of the order that is paid */
                trade_order_id?: string;
                /** @description Time of the order */
                trade_time?: string;
                /** @description Currency of the order: ISO 4217 code of three upper-case letters */
                trade_currency?: string;
                /** @description Amount of the order */
                trade_amount?: Decimal;
                /** @description What was ordered */
                trade_name?: string;
                /** @description How many were ordered */
                trade_count?: number;
                /** @description Who carries the goods */
                goods_carrier?: string;
                /** @description What the service is */
                service_detail?: string;
                /** @description When the service was given */
                service_time?: string;
                /** @description Where the beneficiary collects; mandatory for CASH */
                cash_pickup?: string;
            };
            /** @description How the payment is made */
            payout_options?: {
                /** @description Id of a rate that was locked and is held: the payment converts at it */
                fx_hold_id?: string;
                /** @description Amount deducted from what is delivered */
                deduct_amount?: Decimal;
            };
        } & (({
            beneficiary: unknown;
        } | unknown) & ({
            beneficiary: unknown;
        } | unknown));
        SandboxReason: {
            /** @description For the history, and for the texts that the outcome shows, 1 to 140 characters */
            reason?: string;
        };
        /** @description Who pays */
        RemitterDetails: {
            /** @description 8 to 16 characters, digits with an optional + in front (E.164) */
            contact_number?: string;
            /** @description Date of birth, YYYY-MM-DD */
            dob?: string;
            /** @description City */
            city?: string;
            /** @description State, province or region */
            state?: string;
            /** @description Postal code */
            postcode?: string;
            /** @description Street address */
            address?: string;
            /** @description Remitter's name; mandatory where the client pays on behalf of others */
            name?: string;
            /** @description Whether the remitter's name may contain initials */
            given_name?: boolean;
            /**
             * @description Individual or Company
             * @enum {string}
             */
            account_type: "Individual" | "Company";
            /** @description Remitter's own bank account */
            bank_account_number?: string;
            /**
             * @description Kind of document; type and number come together
             * @enum {string}
             */
            identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
            /** @description Number of the document */
            identification_number?: string;
            /** @description ISO 3166-1 code of two upper-case letters */
            country_code?: string;
            /**
             * @description What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade
             * @enum {string}
             */
            purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
            /**
             * @description Source of the remitter's income
             * @default Business Relations
             */
            source_of_income?: string;
            /** @description Where the money comes from */
            source_of_funds?: string;
            /** @description Country of birth: ISO 3166-1 code of two upper-case letters */
            place_of_birth?: string;
            /** @description Nationality: ISO 3166-1 code of two upper-case letters */
            nationality?: string;
            /**
             * @description Occupation
             * @enum {string}
             */
            occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
        };
        /** @description Who is paid */
        BeneficiaryDetails: {
            /** @description 8 to 16 characters, digits with an optional + in front (E.164) */
            contact_number?: string;
            /** @description Date of birth, YYYY-MM-DD */
            dob?: string;
            /** @description City */
            city?: string;
            /** @description State, province or region */
            state?: string;
            /** @description Postal code */
            postcode?: string;
            /** @description Street address */
            address?: string;
            /** @description Beneficiary's name */
            name?: string;
            /** @description Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */
            country_code?: string;
            /** @description Email address */
            email?: string;
            /**
             * @description Individual or Company. Default: Company where the identification is one that companies alone have, else Individual
             * @enum {string}
             */
            account_type?: "Individual" | "Company";
            /** @description Wallet, mostly a telephone number; mandatory for WALLET */
            wallet_id?: string;
            /** @description Account number or IBAN; mandatory for BANK */
            account_number?: string;
            /**
             * @description Checking, Saving or Maestra
             * @enum {string}
             */
            bank_account_type?: "Checking" | "Saving" | "Maestra";
            /** @description Name of the beneficiary's bank */
            bank_name?: string;
            /** @description Code of the beneficiary's bank, beside the routing codes */
            bank_code?: string;
            /**
             * @description Kind of document; type and value come together
             * @enum {string}
             */
            identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
            /** @description Number of the document; its check digits are looked at */
            identification_value?: string;
            /** @description Card number; mandatory for CARD */
            card_number?: string;
            /** @description Month in which the card expires, YYYY-MM */
            card_expiry_date?: string;
            /** @description Relationship between remitter and beneficiary */
            relationship?: string;
        };
    };
    parameters: {
        /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
        CreatedFrom: string;
        /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
        CreatedTo: string;
        /** @description How many on a page, at most; 50 when absent. May differ from page to page */
        PageLimit: number;
        /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
        PageCursor: string;
        /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
        IfMatch: string;
    };
}
export interface operations<Decimal = number> {
    getRate: {
        parameters: {
            query: {
                /** @description Currency to be sold, three letters of ISO 4217 */
                sell_currency: string;
                /** @description Currency to be bought, three letters of ISO 4217 */
                buy_currency: string;
                /** @description When a conversion would settle; empty or absent: PREFUNDING */
                type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                /** @description What would be sold; send at most one amount */
                sell_amount?: Decimal;
                /** @description What would be bought; send at most one amount */
                buy_amount?: Decimal;
            };
        };
        responses: {
            /** @description The client’s rate of this moment */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["FxRate"];
                };
            };
        };
    };
    bookFxByCurrency: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique id of your own; kept for 7 days */
                    request_id: string;
                    /** @description Narration, 1 to 140 characters */
                    description: string;
                    /** @description What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
                    sell_amount?: Decimal;
                    /** @description What to buy; needed where sell_amount is absent */
                    buy_amount?: Decimal;
                    /**
                     * @description When it settles; empty or absent: the client’s default type
                     * @enum {string}
                     */
                    book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                    /** @description Id of a held rate to be booked */
                    fx_hold_id?: string;
                    /** @description Value date, YYYY-MM-DD: a good day up to spot */
                    settlement_date?: string;
                    /** @description Currency to be sold, three letters of ISO 4217 */
                    sell_currency: string;
                    /** @description Currency to be bought, three letters of ISO 4217 */
                    buy_currency: string;
                } & (unknown | unknown);
            };
        };
        responses: {
            /** @description A conversion between two accounts of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxConfirmation"];
                };
            };
        };
    };
    bookFxByAccount: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique id of your own; kept for 7 days */
                    request_id: string;
                    /** @description Narration, 1 to 140 characters */
                    description: string;
                    /** @description What to sell, needed where buy_amount is absent; with both, the most that may be sold for exactly buy_amount */
                    sell_amount?: Decimal;
                    /** @description What to buy; needed where sell_amount is absent */
                    buy_amount?: Decimal;
                    /**
                     * @description When it settles; empty or absent: the client’s default type
                     * @enum {string}
                     */
                    book_fx_type?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                    /** @description Id of a held rate to be booked */
                    fx_hold_id?: string;
                    /** @description Value date, YYYY-MM-DD: a good day up to spot */
                    settlement_date?: string;
                    /** @description Account to be sold from, 12 digits; or as sell_account */
                    to_account?: number;
                    /** @description Same as to_account */
                    sell_account?: number;
                    /** @description Account to be bought into, 12 digits; or as buy_account */
                    from_account?: number;
                    /** @description Same as from_account */
                    buy_account?: number;
                } & ((unknown | unknown) & (unknown | unknown) & (unknown | unknown));
            };
        };
        responses: {
            /** @description A conversion between two accounts of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxConfirmation"];
                };
            };
        };
    };
    readBooking: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        responses: {
            /** @description A conversion between two accounts of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxConfirmation"];
                };
            };
        };
    };
    listBookings: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: components<Decimal>["parameters"]["CreatedFrom"];
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only conversions with this status; several with commas between them */
                status?: string;
                /** @description Only conversions that buy or sell this currency */
                currency?: string;
            };
        };
        responses: {
            /** @description Conversions of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxList"];
                };
            };
        };
    };
    readPrice: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        responses: {
            /** @description Why the rate of a conversion was what it was */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxPrice"];
                };
            };
        };
    };
    quoteCancellation: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        responses: {
            /** @description What a change of a conversion comes to, for 30 seconds */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChangeQuote"];
                };
            };
        };
    };
    cancelConversion: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["QuotedChange"];
            };
        };
        responses: {
            /** @description A change of a conversion by its client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChange"];
                };
            };
        };
    };
    quoteDateChange: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new date, YYYY-MM-DD: a good day up to spot */
                    settlement_date: string;
                };
            };
        };
        responses: {
            /** @description What a change of a conversion comes to, for 30 seconds */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChangeQuote"];
                };
            };
        };
    };
    changeConversionDate: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["QuotedChange"];
            };
        };
        responses: {
            /** @description A change of a conversion by its client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChange"];
                };
            };
        };
    };
    quoteSplit: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What each part sells, 2 to 10 amounts; needed where buy_amounts is absent */
                    sell_amounts?: Decimal[];
                    /** @description What each part buys, 2 to 10 amounts; needed where sell_amounts is absent */
                    buy_amounts?: Decimal[];
                } & (unknown | unknown);
            };
        };
        responses: {
            /** @description What a change of a conversion comes to, for 30 seconds */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChangeQuote"];
                };
            };
        };
    };
    splitConversion: {
        parameters: {
            path: {
                /** @description Id returned by the booking */
                confirmation_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["QuotedChange"];
            };
        };
        responses: {
            /** @description A change of a conversion by its client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChange"];
                };
            };
        };
    };
    listConversionChanges: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: components<Decimal>["parameters"]["CreatedFrom"];
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only changes of this kind; several with commas between them */
                type?: string;
            };
        };
        responses: {
            /** @description Changes of conversions */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["ConversionChangeList"];
                };
            };
        };
    };
    authenticate: {
        parameters: {
            header: {
                /** @description Client key, as issued */
                client_key: string;
                /** @description Secret of this key */
                client_secret: string;
            };
        };
        responses: {
            /** @description A token of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Token"];
                };
            };
        };
    };
    revokeTokens: {
        parameters: {
            header?: {
                /** @description Client key, as issued */
                client_key?: string;
                /** @description Secret of this key */
                client_secret?: string;
            };
        };
        responses: {
            /** @description What was revoked */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["RevokedTokens"];
                };
            };
        };
    };
    getLockableRate: {
        parameters: {
            query?: {
                /** @description Currency to be sold, three letters of ISO 4217; needed, unless sell_currency is sent */
                source_currency?: string;
                /** @description Same as source_currency */
                sell_currency?: string;
                /** @description Currency to be bought, three letters of ISO 4217; needed, unless buy_currency is sent */
                destination_currency?: string;
                /** @description Same as destination_currency */
                buy_currency?: string;
                /** @description When a conversion at this rate settles; empty or absent: PREFUNDING */
                schedule?: "" | "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2" | "SCHEDULE1" | "SCHEDULE2";
                /** @description How long the rate is to be held; a longer hold costs more; empty or absent: 15_mins */
                hold_period?: "" | "5_mins" | "15_mins" | "1_hour" | "4_hours" | "8_hours" | "24_hours";
                /** @description What will be sold: then the hold is for this amount alone; send at most one amount. Without one the hold is for at most 500,000 USD, or as agreed */
                sell_amount?: Decimal;
                /** @description What will be bought: then the hold is for this amount alone; send at most one amount */
                buy_amount?: Decimal;
                /** @description true: a hold of this rate may be booked in either direction, once; an amount stays in its currency. Empty or absent: false */
                two_way?: boolean;
            };
        };
        responses: {
            /** @description A rate that can be locked */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["LockableRate"];
                };
            };
        };
    };
    lockRate: {
        parameters: {
            query: {
                /** @description As returned by getFxRate, at most 30 seconds ago */
                rate_signature: string;
                /** @description true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
                two_way?: boolean;
            };
        };
        responses: {
            /** @description A rate that is held */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Hold"];
                };
            };
        };
    };
    lockRateByPost: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description As returned by getFxRate, at most 30 seconds ago */
                    rate_signature: string;
                    /** @description true: the hold may be booked in either direction, once: the conversion’s sell_currency and buy_currency decide. Absent: as in getFxRate */
                    two_way?: boolean;
                };
            };
        };
        responses: {
            /** @description A rate that is held */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Hold"];
                };
            };
        };
    };
    releaseHold: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the hold */
                    fx_hold_id: string;
                };
            };
        };
        responses: {
            /** @description A rate that is held */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Hold"];
                };
            };
        };
    };
    readHeldRate: {
        parameters: {
            path: {
                /** @description Id of the hold: QuoteID(117) over FIX */
                fx_hold_id: string;
            };
        };
        responses: {
            /** @description A rate that is held */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Hold"];
                };
            };
        };
    };
    createFunding: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Account to be credited, 12 digits */
                    account_number: number;
                    /** @description Amount in units of the account, above 0 */
                    amount: Decimal;
                    /** @description Where the money was sent: BankName-AccountNumber-Currency, in the currency of the account */
                    instarem_deposit_account: string;
                    /** @description Description of the entry, 1 to 140 characters */
                    payment_reference: string;
                    /** @description Unique id of your own; kept for 7 days. Without one every call is a new entry */
                    request_id?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["CreatedFunding"];
                };
            };
        };
    };
    readFunding: {
        parameters: {
            path: {
                /** @description Ledger reference returned by the creation */
                gl_reference_number: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Funding"];
                };
            };
        };
    };
    listFundings: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: components<Decimal>["parameters"]["CreatedFrom"];
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only fundings with this status; several with commas between them */
                status?: string;
                /** @description Only fundings in this currency */
                currency?: string;
            };
        };
        responses: {
            /** @description Funding entries of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["FundingList"];
                };
            };
        };
    };
    createPayment: {
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["PaymentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["CreatedPayment"];
                };
            };
        };
    };
    createPayout: {
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["CreatedPayout"];
                };
            };
        };
    };
    readPayment: {
        parameters: {
            path: {
                /** @description Payment id returned by the creation */
                payment_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Payment"];
                };
            };
        };
    };
    readPaymentByReference: {
        parameters: {
            path: {
                /** @description Transaction number of the creation */
                reference_number: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Payment"];
                };
            };
        };
    };
    cancelPayment: {
        parameters: {
            path: {
                /** @description Payment id returned by the creation */
                payment_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Payment"];
                };
            };
        };
    };
    answerInformation: {
        parameters: {
            path: {
                /** @description Payment id returned by the creation */
                payment_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The answer, 1 to 2,000 characters */
                    information: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Payment"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: components<Decimal>["parameters"]["CreatedFrom"];
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only payments with this status; several with commas between them */
                status?: string;
                /** @description Only payments in this currency */
                currency?: string;
            };
        };
        responses: {
            /** @description Payments of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["PaymentList"];
                };
            };
        };
    };
    validatePayment: {
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["PaymentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": {
                        /** @description The body is valid: the payment can be created */
                        valid: boolean;
                        /** @description Possible later problems; they do not reject the payment */
                        warnings: {
                            /** @description Name of the field; of a nested one with dots */
                            field: string;
                            /**
                             * @description What is wrong with it
                             * @enum {string}
                             */
                            code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
                            /** @description The same for people */
                            message: string;
                            /** @description Rule of the payment that says so: G8 is a general one, IN.account a country’s */
                            rule?: string;
                        }[];
                    };
                };
            };
        };
    };
    validatePayout: {
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": {
                        /** @description The body is valid: the payment can be created */
                        valid: boolean;
                        /** @description Possible later problems; they do not reject the payment */
                        warnings: {
                            /** @description Name of the field; of a nested one with dots */
                            field: string;
                            /**
                             * @description What is wrong with it
                             * @enum {string}
                             */
                            code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
                            /** @description The same for people */
                            message: string;
                            /** @description Rule of the payment that says so: G8 is a general one, IN.account a country’s */
                            rule?: string;
                        }[];
                    };
                };
            };
        };
    };
    requiredDetails: {
        parameters: {
            query: {
                /** @description Country of the beneficiary, ISO 3166-1 code of two letters; EU means any country of SEPA */
                country: string;
                /** @description Currency that the beneficiary receives. Default: that of the country */
                currency?: string;
                /** @description How the beneficiary is paid. Default: BANK */
                method?: "BANK" | "CASH" | "CARD" | "WALLET";
                /** @description What the fields are for: a payment, or a stored beneficiary. Default: payment */
                for?: "payment" | "beneficiary";
                /** @description Who is paid. Default: either, with conditions for each */
                party?: "Individual" | "Company";
            };
            header?: {
                /** @description The ETag of an earlier answer: where it is unchanged, the answer is 304 without a body */
                "If-None-Match"?: string;
            };
        };
        responses: {
            /** @description Schema of the body of POST /api/v1/payments/create for one corridor. What is required under a condition is in allOf, as if and then; alternative sets of routing codes are in anyOf. Routing codes may be sent in another order than here */
            200: {
                content: {
                    "application/json": {
                        /** @description The dialect: JSON Schema draft 2020-12 */
                        $schema: string;
                        /** @description What it is about */
                        title: string;
                        /**
                         * @description A body is an object
                         * @constant
                         */
                        type: "object";
                        /** @description The fields that are needed, or may be */
                        properties: {
                            [key: string]: unknown;
                        };
                        /** @description Those that are needed in any case */
                        required: string[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description If-None-Match has the ETag: nothing has changed */
            304: {};
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: string;
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only batchs with this status; several with commas between them */
                status?: string;
                /** @description Only batches of accounts in this currency */
                currency?: string;
            };
        };
        responses: {
            /** @description Batches of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchList"];
                };
            };
        };
    };
    createBatch: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique id of your own: the same request again gives the same batch */
                    request_id: string;
                    /** @description Account that pays all items, 12 digits */
                    source_account: number;
                    /** @description Text of your own, at most 140 characters */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchSummary"];
                };
            };
        };
    };
    readBatch: {
        parameters: {
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Batch"];
                };
            };
        };
    };
    listBatchItems: {
        parameters: {
            query?: {
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description Items of a batch, in the order in which they were added */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchItemList"];
                };
            };
        };
    };
    addBatchItems: {
        parameters: {
            query?: {
                /** @description Items that the batch has may come with other content */
                replace?: boolean;
            };
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Each with item_id and the fields of POST /api/v2/payouts. source_account may be left out: it is that of the batch. request_id too: it is then batch_id, a point, and item_id */
                    items: {
                        /** @description Unique id of your own within the batch */
                        item_id: string;
                        /** @description Unique id of the request, chosen by the client */
                        request_id?: string;
                        /** @description Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
                        transaction_number?: string;
                        /** @description Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
                        destination_currency?: string;
                        /** @description Local currency of the beneficiary's country: ISO 4217 code of three upper-case letters. Moves no money */
                        local_conversion_currency?: string;
                        /** @description What the beneficiary's statement says; some corridors take less than 140 characters */
                        statement_narrative?: string;
                        /** @description Financial institution of the original remitter, where the client pays for another */
                        original_remitter_fi?: string;
                        /**
                         * @description How the beneficiary is paid. Default: BANK
                         * @enum {string}
                         */
                        deposit_method?: "CASH" | "BANK" | "CARD" | "WALLET";
                        /**
                         * @description How the beneficiary is paid; it must agree with deposit_method. Default: BANK
                         * @enum {string}
                         */
                        payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
                        /**
                         * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                         * @enum {string}
                         */
                        routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                        /** @description Routing code of the matching type */
                        routing_code_value_1?: string;
                        /**
                         * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                         * @enum {string}
                         */
                        routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                        /** @description Routing code of the matching type */
                        routing_code_value_2?: string;
                        /**
                         * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                         * @enum {string}
                         */
                        routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                        /** @description Routing code of the matching type */
                        routing_code_value_3?: string;
                        /** @description Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */
                        beneficiary_id?: string;
                        /** @description Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old */
                        verification_token?: string;
                        /** @description Account that pays */
                        source_account?: number;
                        /** @description Amount that leaves the source account, in its currency. Exactly one of source_amount and destination_amount */
                        source_amount?: Decimal;
                        /** @description Amount paid to the beneficiary */
                        destination_amount?: Decimal;
                        /** @description Destination account number: kept, and moves no money */
                        destination_account?: number;
                        /**
                         * @description Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered
                         * @enum {string}
                         */
                        fee_payer?: "OUR" | "BEN";
                        remitter?: components<Decimal>["schemas"]["RemitterDetails"];
                        beneficiary?: components<Decimal>["schemas"]["BeneficiaryDetails"];
                        /** @description About the trade or service that is paid, and for CASH where it is collected */
                        additional_info?: {
                            /** @description Id of the order that is paid */
                            trade_order_id?: string;
                            /** @description Time of the order */
                            trade_time?: string;
                            /** @description Currency of the order: ISO 4217 code of three upper-case letters */
                            trade_currency?: string;
                            /** @description Amount of the order */
                            trade_amount?: Decimal;
                            /** @description What was ordered */
                            trade_name?: string;
                            /** @description How many were ordered */
                            trade_count?: number;
                            /** @description Who carries the goods */
                            goods_carrier?: string;
                            /** @description What the service is */
                            service_detail?: string;
                            /** @description When the service was given */
                            service_time?: string;
                            /** @description Where the beneficiary collects; mandatory for CASH */
                            cash_pickup?: string;
                        };
                        /** @description How the payment is made */
                        payout_options?: {
                            /** @description Id of a rate that was locked and is held: the payment converts at it */
                            fx_hold_id?: string;
                            /** @description Amount deducted from what is delivered */
                            deduct_amount?: Decimal;
                        };
                    }[];
                };
                "text/csv": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchItemsAdded"];
                };
            };
        };
    };
    removeBatchItem: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
                /** @description Your own id of the item */
                item_id: string;
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchSummary"];
                };
            };
        };
    };
    validateBatch: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchValidated"];
                };
            };
        };
    };
    closeBatch: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchSummary"];
                };
            };
        };
    };
    fundBatch: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchSummary"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description A batch of payments from one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchSummary"];
                };
            };
        };
    };
    batchResults: {
        parameters: {
            query?: {
                /** @description json or csv; default: as Accept says, else json */
                format?: "json" | "csv";
            };
            path: {
                /** @description Batch id of the creation */
                batch_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BatchResults"];
                    "text/csv": string;
                };
            };
        };
    };
    listBalances: {
        responses: {
            /** @description Accounts and what is available in them */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Balance"][];
                };
            };
        };
    };
    listCurrencyBalances: {
        parameters: {
            path: {
                /** @description Three letters of ISO 4217 */
                currency: string;
            };
        };
        responses: {
            /** @description Accounts and what is available in them */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Balance"][];
                };
            };
        };
    };
    readBalance: {
        parameters: {
            path: {
                /** @description Number of the account, 12 digits */
                account_number: number;
            };
        };
        responses: {
            /** @description Accounts and what is available in them */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Balance"][];
                };
            };
        };
    };
    listAccountEntries: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: components<Decimal>["parameters"]["CreatedFrom"];
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only entries of this type; several with commas between them */
                type?: string;
            };
            path: {
                /** @description Number of the account, 12 digits */
                account_number: number;
            };
        };
        responses: {
            /** @description Statement of one account */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["AccountEntryList"];
                };
            };
        };
    };
    listAccounts: {
        responses: {
            /** @description All accounts, in the order of their opening */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Account"][];
                };
            };
        };
    };
    readTradingState: {
        responses: {
            /** @description Whether the client may deal */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["TradingState"];
                };
            };
        };
    };
    haltTrading: {
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why, for the operator who has to resume it */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Whether the client may deal */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["TradingState"];
                };
            };
        };
    };
    listSubClients: {
        parameters: {
            query?: {
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
            };
        };
        responses: {
            /** @description Sub-clients of the platform, in order of their ids */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClientList"];
                };
            };
        };
    };
    createSubClient: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your own short name for it: its id is yours, ~ and this name */
                    name: string;
                    /** @description Its name, for people; the remitter of payments that name none */
                    title: string;
                    /**
                     * @description Type of a conversion that names none
                     * @default PREFUNDING
                     * @enum {string}
                     */
                    default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                    /** @description Currencies that it gets an account in, where it has none in them yet */
                    currencies?: string[];
                };
            };
        };
        responses: {
            /** @description A client of the platform */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClient"];
                };
            };
        };
    };
    readSubClient: {
        parameters: {
            path: {
                /** @description Id of the sub-client, as its creation has answered it */
                sub_client_id: string;
            };
        };
        responses: {
            /** @description A client of the platform */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClient"];
                };
            };
        };
    };
    changeSubClient: {
        parameters: {
            path: {
                /** @description Id of the sub-client, as its creation has answered it */
                sub_client_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Its name, for people */
                    title?: string;
                    /**
                     * @description Type of a conversion that names none
                     * @enum {string}
                     */
                    default_type?: "PREFUNDING" | "SCHEDULED1" | "SCHEDULED2";
                    /** @description true: it is refused everywhere, and its tokens and sessions end; false: it is enabled again */
                    disabled?: boolean;
                    /** @description Currencies that it gets an account in, where it has none in them yet */
                    currencies?: string[];
                };
            };
        };
        responses: {
            /** @description A client of the platform */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClient"];
                };
            };
        };
    };
    listSubClientMargins: {
        parameters: {
            path: {
                /** @description Id of the sub-client; * for all that have no margin of their own */
                sub_client_id: string;
            };
        };
        responses: {
            /** @description Margins of the sub-client, in order of pairs */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClientMargin"][];
                };
            };
        };
    };
    setSubClientMargin: {
        parameters: {
            path: {
                /** @description Id of the sub-client; * for all that have no margin of their own */
                sub_client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A pair in market convention, or * for all pairs that have no rule of their own */
                    pair: string;
                    /** @description What is added to your own margin, percent from 0 to 10, with at most 4 decimals */
                    margin: Decimal;
                };
            };
        };
        responses: {
            /** @description What a platform adds to its own margin */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClientMargin"];
                };
            };
        };
    };
    removeSubClientMargin: {
        parameters: {
            query: {
                /** @description A pair in market convention, or * for all pairs that have no rule of their own */
                pair: string;
            };
            path: {
                /** @description Id of the sub-client; * for all that have no margin of their own */
                sub_client_id: string;
            };
        };
        responses: {
            /** @description What a platform adds to its own margin */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SubClientMargin"];
                };
            };
        };
    };
    listBeneficiaries: {
        parameters: {
            query?: {
                /** @description Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */
                from?: string;
                /** @description Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset */
                to?: components<Decimal>["parameters"]["CreatedTo"];
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only beneficiaries with this status */
                status?: string;
                /** @description Only beneficiaries that receive this currency */
                currency?: string;
                /** @description Only beneficiaries in this country */
                country?: string;
                /** @description Only beneficiaries whose name begins like this, in any case */
                name?: string;
            };
        };
        responses: {
            /** @description Beneficiaries of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BeneficiaryList"];
                };
            };
        };
    };
    createBeneficiary: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique id of the request, chosen by the client, kept for 7 days: the same command again gets the first answer */
                    request_id: string;
                    /** @description Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
                    destination_currency?: string;
                    /**
                     * @description How the beneficiary is paid. Default: BANK
                     * @enum {string}
                     */
                    payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_1?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_2?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_3?: string;
                    beneficiary?: components<Decimal>["schemas"]["BeneficiaryDetails"];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Beneficiary"];
                };
            };
        };
    };
    readBeneficiary: {
        parameters: {
            query?: {
                /** @description An earlier version, such as a payment shows; absent: the newest */
                version?: number;
            };
            path: {
                /** @description Beneficiary id returned by the creation */
                beneficiary_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Beneficiary"];
                };
            };
        };
    };
    changeBeneficiary: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Beneficiary id returned by the creation */
                beneficiary_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
                    destination_currency?: string;
                    /**
                     * @description How the beneficiary is paid. Default: BANK
                     * @enum {string}
                     */
                    payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_1?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_2?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_3?: string;
                    beneficiary?: components<Decimal>["schemas"]["BeneficiaryDetails"];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Beneficiary"];
                };
            };
        };
    };
    disableBeneficiary: {
        parameters: {
            path: {
                /** @description Beneficiary id returned by the creation */
                beneficiary_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Beneficiary"];
                };
            };
        };
    };
    enableBeneficiary: {
        parameters: {
            path: {
                /** @description Beneficiary id returned by the creation */
                beneficiary_id: string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Beneficiary"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events behind this sequence, next_after of the page before; absent: from the oldest that is kept */
                after?: number;
                /** @description How many, at most; 50 when absent */
                limit?: number;
                /** @description Only events of these types: types of events, with commas between them, such as payment.paid, payment.* or *. There are 44 */
                type?: string;
            };
        };
        responses: {
            /** @description Events of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["EventList"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            path: {
                /** @description Id of the event, as webhook-id has it */
                event_id: string;
            };
        };
        responses: {
            /** @description Something that has happened to a resource of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Event"];
                };
            };
        };
    };
    sandboxPayment: {
        parameters: {
            path: {
                /** @description Payment id returned by the creation */
                payment_id: string;
                /** @description The outcome, one of the table */
                outcome: "compliance-verification" | "info-requested" | "approved" | "rejected" | "processing" | "paid" | "returned" | "error" | "cancelled" | "expired";
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description What the bank adds; with processing and paid alone
                     * @enum {string}
                     */
                    sub_status?: "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT";
                    /** @description For the history, and for the texts that the outcome shows, 1 to 140 characters */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Payment"];
                };
            };
        };
    };
    sandboxFunding: {
        parameters: {
            path: {
                /** @description Ledger reference returned by the creation */
                gl_reference_number: string;
                /** @description The outcome, one of the table */
                outcome: "completed" | "rejected" | "cancelled" | "reversed";
            };
        };
        requestBody?: {
            content: {
                "application/json": components<Decimal>["schemas"]["SandboxReason"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Funding"];
                };
            };
        };
    };
    sandboxConversion: {
        parameters: {
            path: {
                /** @description Id of the conversion */
                confirmation_id: string;
                /** @description The outcome, one of the table */
                outcome: "settled" | "overdue" | "cancelled" | "closed-out" | "busted" | "corrected";
            };
        };
        requestBody?: {
            content: {
                "application/json": components<Decimal>["schemas"]["SandboxReason"];
            };
        };
        responses: {
            /** @description A conversion between two accounts of the client */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["BookFxConfirmation"];
                };
            };
        };
    };
    sandboxClock: {
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SandboxClock"];
                };
            };
        };
    };
    advanceSandboxClock: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description By how much: a whole number and s, m, h or d, above 0: 90s, 30m, 24h, 2d */
                    advance?: string;
                    /** @description Instead: until this time of the clock, in UTC; one that has passed changes nothing */
                    until?: string;
                } & (unknown | unknown);
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["SandboxClock"];
                };
            };
        };
    };
    listWebhooks: {
        responses: {
            /** @description Your webhook endpoints, in order of creation */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Name of your own, at most 140 characters; absent: none
                     * @default
                     */
                    name?: string;
                    /** @description An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */
                    url: string;
                    /** @description Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
                    types: string[];
                    /**
                     * @description symmetric: HMAC-SHA256 with a secret that you get once (`v1`); ed25519: with a private key that we keep, and its public key for you (`v1a`)
                     * @default symmetric
                     * @enum {string}
                     */
                    signature?: "symmetric" | "ed25519";
                };
            };
        };
        responses: {
            /** @description A webhook endpoint with its new secret */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["NewWebhook"];
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        responses: {
            /** @description A webhook endpoint */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Webhook"];
                };
            };
        };
    };
    removeWebhook: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        responses: {
            /** @description The endpoint and its deliveries are removed */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["RemovedWebhook"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            header?: {
                /** @description The ETag of the record as it was read: where it has changed since, the answer is 409 VERSION_CONFLICT */
                "If-Match"?: components<Decimal>["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of your own, at most 140 characters; absent: none */
                    name?: string;
                    /** @description An https address on the internet, on port 443 or one from 1024 on; redirects are not followed */
                    url?: string;
                    /** @description Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them */
                    types?: string[];
                    /** @description false: pause; true: continue behind the last event that it got, also where it was disabled */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description A webhook endpoint */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        responses: {
            /** @description A webhook endpoint with its new secret */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["NewWebhook"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many on a page, at most; 50 when absent. May differ from page to page */
                limit?: components<Decimal>["parameters"]["PageLimit"];
                /** @description next_cursor of the page before, with the same filters; absent: the newest. It does not expire */
                cursor?: components<Decimal>["parameters"]["PageCursor"];
                /** @description Only deliveries with this status; several with commas between them */
                status?: string;
            };
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        responses: {
            /** @description Deliveries of an endpoint: the open ones, and the newest of those that have ended */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    replayDeliveries: {
        parameters: {
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The event, by its `webhook-id` */
                    event_id?: string;
                    /** @description Sequence of the first event; absent: the oldest that is kept */
                    from_sequence?: number;
                    /** @description Sequence of the last event; absent: the newest */
                    to_sequence?: number;
                    /** @description Events of this time or later */
                    from?: string;
                    /** @description Events of this time or before */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description What is delivered again */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            path: {
                /** @description Id of the endpoint */
                webhook_id: string;
            };
        };
        responses: {
            /** @description The test event that is delivered now */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["WebhookTest"];
                };
            };
        };
    };
    verifyPayee: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Currency of the account, ISO 4217. Default: that of the country */
                    currency?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_1?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_2?: string;
                    /**
                     * @description Kind of the routing code; which ones, the corridor says. Value and type come together
                     * @enum {string}
                     */
                    routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
                    /** @description Routing code of the matching type */
                    routing_code_value_3?: string;
                    /** @description Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */
                    beneficiary_id?: string;
                    /** @description Beneficiary's name */
                    name?: string;
                    /** @description Country of the payee, ISO 3166 */
                    country?: string;
                    /**
                     * @description Individual or Company. Default: Company where the identification is one that companies alone have, else Individual
                     * @enum {string}
                     */
                    account_type?: "Individual" | "Company";
                    /** @description Account number or IBAN; mandatory for BANK */
                    account_number?: string;
                } & ((unknown | unknown) & (unknown | unknown) & (unknown | unknown));
            };
        };
        responses: {
            /** @description Done */
            200: {
                content: {
                    "application/json": components<Decimal>["schemas"]["PayeeVerification"];
                };
            };
        };
    };
    receiveEvent: {
        parameters: {
            header: {
                /** @description Id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description Unix seconds of the attempt */
                "webhook-timestamp": string;
                /** @description Signatures of `{id}.{timestamp}.{body}` with blanks between them: `v1,` HMAC-SHA256 or `v1a,` ed25519, in base64 */
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components<Decimal>["schemas"]["EventBody"];
            };
        };
        responses: {
            /** @description It is delivered */
            "2XX": {};
        };
    };
}
/** Names of the fields that are decimals, wherever they are. */
export const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
    "age_ms",
    "amount",
    "available_amount",
    "balance",
    "base_fx_rate",
    "buy_amount",
    "buy_amounts",
    "deduct_amount",
    "destination_amount",
    "equivalent_amount",
    "fx_rate",
    "instarem_fx_rate",
    "margin",
    "margin_percent",
    "margin_value",
    "mid_rate",
    "needed_amount",
    "opposite_base_fx_rate",
    "opposite_fx_rate",
    "opposite_margin",
    "receivable",
    "receivable_amount",
    "sell_amount",
    "sell_amounts",
    "source_amount",
    "trade_amount",
]);
