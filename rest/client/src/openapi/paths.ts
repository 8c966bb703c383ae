/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { operations } from "./operations.js";

export interface paths<Decimal = number> {
    "/api/v1/bookfx/rate": {
        /** Rate of a currency pair. The client’s rate of this moment: units of the bought currency for one of the sold. Larger amounts may have another rate: name the amount for its rate; without one it is that of the smallest amounts. */
        get: operations<Decimal>["getRate"];
    };
    "/api/v1/bookfx/currency/create": {
        /** Convert between the default accounts of two currencies. Sells from the default account of one currency and buys into that of the other. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: operations<Decimal>["bookFxByCurrency"];
    };
    "/api/v1/bookfx/account/create": {
        /** Convert between two given accounts. Note the names: from_account is the account bought into, to_account the account sold from. The same request_id with the same command repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: operations<Decimal>["bookFxByAccount"];
    };
    "/api/v1/bookfx/{confirmation_id}": {
        /** Read a conversion. The current state of a conversion of the client, by its confirmation id. One that the operator has undone is CANCELLED; one that the operator has corrected has its new rate and amounts. `changes` has what the client has changed: a cancellation, another date, or a split, after which it is SPLIT and its children have its amounts. */
        get: operations<Decimal>["readBooking"];
    };
    "/api/v1/bookfx": {
        /** List conversions. The client’s conversions, also those that were made for a payment. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listBookings"];
    };
    "/api/v1/bookfx/{confirmation_id}/price": {
        /** Read why a rate was what it was. The provider’s rate, the mid and the age of the price of a conversion of the client, with the margin, as they were when it was booked; later corrections do not change them. It is stored with the booking, and covered by the hash of the record. */
        get: operations<Decimal>["readPrice"];
    };
    "/api/v1/bookfx/{confirmation_id}/cancel/quote": {
        /** Quote a cancellation. What it costs or brings to cancel a conversion now: the difference to the opposite deal at the client’s rate of this moment. A client may be set to gain nothing by it. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: operations<Decimal>["quoteCancellation"];
    };
    "/api/v1/bookfx/{confirmation_id}/cancel": {
        /** Cancel a conversion. Cancels the conversion at the terms of a quote. The account sold from is charged or credited; what it lacks of a charge is owed. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: operations<Decimal>["cancelConversion"];
    };
    "/api/v1/bookfx/{confirmation_id}/date/quote": {
        /** Quote another settlement date. Moves the settlement to another good day, from the next one to spot. Nothing is charged: there are no forward points. At most five times. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: operations<Decimal>["quoteDateChange"];
    };
    "/api/v1/bookfx/{confirmation_id}/date": {
        /** Move the settlement date of a conversion. The conversion settles on the date of the quote; an OVERDUE one is OPEN again. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: operations<Decimal>["changeConversionDate"];
    };
    "/api/v1/bookfx/{confirmation_id}/split/quote": {
        /** Preview a split. The conversions that a split makes, from the amounts of one currency: their sums are those of the conversion, in both currencies. Each keeps its rate, date and type. Of a conversion that has not settled, OPEN or OVERDUE; one that has settled or ended is refused with NOT_CHANGEABLE. The quote binds for 30 seconds, unless the conversion changes before. */
        post: operations<Decimal>["quoteSplit"];
    };
    "/api/v1/bookfx/{confirmation_id}/split": {
        /** Split a conversion. Makes the conversions of the preview; the one that is split is SPLIT, and settles nothing. The parts of an OVERDUE one settle at once where their money is there. The same request_id with the same quote repeats the first answer, with `Idempotent-Replayed: true`; with another command it is rejected with 409. */
        post: operations<Decimal>["splitConversion"];
    };
    "/api/v1/conversion-changes": {
        /** List changes, with their gains and charges. What the client has changed of its conversions, and what it cost or brought. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listConversionChanges"];
    };
    "/api/v1/authentication": {
        /** Get a token. Issues a token of 24 hours for a client key and its secret. Earlier tokens remain valid. Five wrong secrets from one address lock the key there for 15 minutes. */
        post: operations<Decimal>["authenticate"];
    };
    "/api/v1/authentication/revoke": {
        /** Revoke a token, or all tokens of a key. With `authorization: Bearer <token>`: revokes that token. With a client key and its secret instead: revokes all live tokens of that key, which stays valid. The tokens are rejected everywhere within two seconds, and the FIX streams that use them end. */
        post: operations<Decimal>["revokeTokens"];
    };
    "/api/v1/lockFx/getFxRate": {
        /** Rate that can be locked. The rate of this moment for a hold of some length, signed: it can be locked for 30 seconds. */
        get: operations<Decimal>["getLockableRate"];
    };
    "/api/v1/lockFx/lockFxRate": {
        /** Lock a rate. Holds the rate of a signature from now on. The same signature always returns the same hold. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars; a two-way hold counts once, by its larger side. */
        get: operations<Decimal>["lockRate"];
        /** Lock a rate, as a POST. Holds the rate of a signature from now on. The same signature always returns the same hold. HOLD_LIMIT: the open holds would exceed the client’s limit in US dollars; a two-way hold counts once, by its larger side. */
        post: operations<Decimal>["lockRateByPost"];
    };
    "/api/v1/lockFx/releaseFxRate": {
        /** Release a held rate. Releases an unused hold; a repeated release returns the same answer. */
        post: operations<Decimal>["releaseHold"];
    };
    "/api/v1/lockFx/hold/{fx_hold_id}": {
        /** Read a held rate. The current state of a hold of the client, of REST or of FIX, by its id. A two-way hold has `side: both`; its other fields name the direction of its request, and for FIX that which sells the first currency of the pair. */
        get: operations<Decimal>["readHeldRate"];
    };
    "/api/v1/fund/create": {
        /** Announce money for an account. Announces an incoming transfer. It is PENDING until it is matched: then it becomes COMPLETED and the balance rises, or REJECTED. With a request_id, the same command repeats the first answer, with `Idempotent-Replayed: true`, and another command is rejected with 409. */
        post: operations<Decimal>["createFunding"];
    };
    "/api/v1/fund/reference/{gl_reference_number}": {
        /** Read a funding entry. The current state of the entry. */
        get: operations<Decimal>["readFunding"];
    };
    "/api/v1/fund": {
        /** List funding entries. The client’s funding entries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listFundings"];
    };
    "/api/v1/payments/create": {
        /** Send a payment. Pays destination_amount, or with 0 there the value of equivalent_amount at the client's rate of this moment, from the account named, or from the default one in the payment currency; the fee is on top. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request. */
        post: operations<Decimal>["createPayment"];
    };
    "/api/v2/payouts": {
        /** Send a payout. The second version: nested, and rejects unknown fields. Exactly one amount is given: destination_amount, what the beneficiary is paid, or source_amount, all that leaves the source account, which then pays alone. With fee_payer OUR the fee is on top of destination_amount and within source_amount; with BEN it comes out of what is delivered. With fx_hold_id the source account is sold at the held rate, which is used by that. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request. */
        post: operations<Decimal>["createPayout"];
    };
    "/api/v1/payments/id/{payment_id}": {
        /** Read a payment by its id. The current state of the payment. */
        get: operations<Decimal>["readPayment"];
    };
    "/api/v1/payments/reference/{reference_number}": {
        /** Read a payment by your own number. The current state of the payment. */
        get: operations<Decimal>["readPaymentByReference"];
    };
    "/api/v1/payments/id/{payment_id}/cancel": {
        /** Cancel a payment. Until it is sent to the beneficiary’s bank: it becomes USER_REJECTED and is refunded in full, fee included, to the account that paid and in its currency; a conversion made for it is not reversed. From PG_PROCESSING on it is rejected with NOT_CANCELLABLE and its status. */
        post: operations<Decimal>["cancelPayment"];
    };
    "/api/v1/payments/id/{payment_id}/information": {
        /** Answer a request for information. For a payment in INFO_REQUESTED, whose status_description has the question: it returns to compliance. In any other status it is rejected with WRONG_STATE. */
        post: operations<Decimal>["answerInformation"];
    };
    "/api/v1/payments": {
        /** List payments. The client’s payments of both versions. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listPayments"];
    };
    "/api/v1/payments/validate": {
        /** Validate a payment. The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked. */
        post: operations<Decimal>["validatePayment"];
    };
    "/api/v2/payouts/validate": {
        /** Validate a payout. The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked. */
        post: operations<Decimal>["validatePayout"];
    };
    "/api/v1/reference/required-details": {
        /** What a payment needs. A JSON Schema of the fields that a payment to this country, in this currency and by this method needs, with conditions as if and then. It is generated from the rules that validate payments. With `for=beneficiary` it is the schema of the body of `POST /api/v1/beneficiaries`: the fields that a stored beneficiary has of them. */
        get: operations<Decimal>["requiredDetails"];
    };
    "/api/v1/batches": {
        /** List batches. The client’s batches. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listBatches"];
        /** Create a batch. Creates an empty batch of payments from one account, `OPEN`. Then add items, validate, close and fund it. The same request again answers with the same batch, with `Idempotent-Replayed: true`. A client has at most 100 batches that have not ended. */
        post: operations<Decimal>["createBatch"];
    };
    "/api/v1/batches/{batch_id}": {
        /** Read a batch. Its status, how many items are pending, created, refused and cancelled, their amounts, and how many of its payments have each status. */
        get: operations<Decimal>["readBatch"];
    };
    "/api/v1/batches/{batch_id}/items": {
        /** List items. The items of a batch in order, with what has become of each. */
        get: operations<Decimal>["listBatchItems"];
        /** Add items. Adds items to a batch that is not closed: all of them, or none. The same item again changes nothing, so that a request may be repeated; with other content it is rejected with 409, or replaced where `replace` is true. As JSON, or as CSV with the names of the fields in the first record, nested ones as `beneficiary.name`. 512 KiB at most. The fields of the payments are checked by the validation. */
        post: operations<Decimal>["addBatchItems"];
    };
    "/api/v1/batches/{batch_id}/items/{item_id}": {
        /** Remove an item. Removes an item from a batch that is not closed. */
        delete: operations<Decimal>["removeBatchItem"];
    };
    "/api/v1/batches/{batch_id}/validate": {
        /** Validate a batch. Checks every item as the creation of its payment does, and answers with all faults of all items. Without any, the batch is `VALIDATED`. An item in another currency than the account names source_amount. */
        post: operations<Decimal>["validateBatch"];
    };
    "/api/v1/batches/{batch_id}/close": {
        /** Close a batch. A validated batch becomes `CLOSED`: its items cannot change any more. */
        post: operations<Decimal>["closeBatch"];
    };
    "/api/v1/batches/{batch_id}/fund": {
        /** Fund a batch. Reserves the total of a closed batch, with the fees of this moment, and begins to make its payments: `PROCESSING`, then `DONE`. Needs the right pay. Repeating it funds nothing twice. */
        post: operations<Decimal>["fundBatch"];
    };
    "/api/v1/batches/{batch_id}/cancel": {
        /** Cancel a batch. Cancels what has not become a payment, and returns the rest of the reserve to the account. Payments that exist are not touched: each can be cancelled by itself. */
        post: operations<Decimal>["cancelBatch"];
    };
    "/api/v1/batches/{batch_id}/results": {
        /** Results of a batch. Every item in order, with its payment and that payment’s status, or why it was refused. As CSV with `format=csv`, or where Accept names text/csv; there, a text that a spreadsheet would take as a formula has an apostrophe in front. */
        get: operations<Decimal>["batchResults"];
    };
    "/api/v1/balance/all": {
        /** Balances of all accounts. Every account of the client with what is available in it. */
        get: operations<Decimal>["listBalances"];
    };
    "/api/v1/balance/currency/{currency}": {
        /** Balances in one currency. The accounts in this currency; an empty list where the client has none. */
        get: operations<Decimal>["listCurrencyBalances"];
    };
    "/api/v1/balance/account/{account_number}": {
        /** Balance of one account. A list of this one account. */
        get: operations<Decimal>["readBalance"];
    };
    "/api/v1/balance/account/{account_number}/entries": {
        /** Statement of one account. The credits and debits of the account, with the balance after each. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listAccountEntries"];
    };
    "/api/v1/account": {
        /** List all accounts. All accounts of the client, closed and blocked ones too. */
        get: operations<Decimal>["listAccounts"];
    };
    "/api/v1/trading/state": {
        /** Read your trading state. The state that is set for your company. While it is HALTED, rates, holds, conversions and payments that need a conversion are rejected with MARKET_CLOSED. */
        get: operations<Decimal>["readTradingState"];
    };
    "/api/v1/trading/halt": {
        /** Stop all your trading. Halts your company at once, over REST and at every FIX session: no rate, no hold, no conversion. Streams lose their prices, and holds of FIX sessions are withdrawn. Only we can resume it. The same call again changes nothing and has the same answer. A body is optional. */
        post: operations<Decimal>["haltTrading"];
    };
    "/api/v1/sub-clients": {
        /** List your sub-clients. For platforms. In order of their ids. */
        get: operations<Decimal>["listSubClients"];
        /** Create a sub-client. For platforms. The new client has accounts, balances, margins, limits and webhooks of its own, and is dealt for with the header `x-on-behalf-of`. The same name again is answered by 409 CLIENT_EXISTS. A platform has 10,000 sub-clients at most. */
        post: operations<Decimal>["createSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}": {
        /** Read a sub-client. For platforms. One of another platform is answered as an unknown one. */
        get: operations<Decimal>["readSubClient"];
        /** Change a sub-client. For platforms. What is left out stays. A disabled sub-client is refused everywhere: its own tokens and FIX sessions end, and `x-on-behalf-of` with its id is answered by 403. One that we have disabled is enabled by us alone: WRONG_STATE. */
        patch: operations<Decimal>["changeSubClient"];
    };
    "/api/v1/sub-clients/{sub_client_id}/margins": {
        /** List the margins of a sub-client. For platforms. What you add for this sub-client, not what applies to all of them. */
        get: operations<Decimal>["listSubClientMargins"];
        /** Set a margin of a sub-client. For platforms. It is added to your own margin, in prices, holds and quotes alike, within a second. The nearest applies: that of the sub-client before that of all, within these that of the pair before that of all pairs. Its part of the margin of each conversion is credited to you with the conversion: docs/platforms.md. At most 1,000. */
        post: operations<Decimal>["setSubClientMargin"];
        /** Remove a margin of a sub-client. For platforms. The next nearest applies; without one nothing is added. */
        delete: operations<Decimal>["removeSubClientMargin"];
    };
    "/api/v1/beneficiaries": {
        /** List beneficiaries. The client’s beneficiaries. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listBeneficiaries"];
        /** Store a beneficiary. Stores who is paid and where, checked by the rules of the corridor as far as they do not depend on a payment: `GET /api/v1/reference/required-details?for=beneficiary` has them. An account, in whatever notation, is in one beneficiary only: another one is rejected with 409 DUPLICATE_BENEFICIARY, which names the first as `beneficiary_id`. A client has 10,000 at most. */
        post: operations<Decimal>["createBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}": {
        /** Read a beneficiary. The newest version, or an earlier one, such as a payment shows as beneficiary_version. */
        get: operations<Decimal>["readBeneficiary"];
        /** Change a beneficiary. Changes the fields that are sent; an empty text removes one. The whole is checked as at its creation, and becomes a new version; payments that were made keep theirs. With If-Match another version than that one is rejected with 409 VERSION_CONFLICT. One beneficiary takes 100 changes. */
        patch: operations<Decimal>["changeBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/disable": {
        /** Disable a beneficiary. Payments that name it are rejected with BENEFICIARY_DISABLED, until it is enabled; those that were made are paid. */
        post: operations<Decimal>["disableBeneficiary"];
    };
    "/api/v1/beneficiaries/{beneficiary_id}/enable": {
        /** Enable a beneficiary. Payments can name it again. */
        post: operations<Decimal>["enableBeneficiary"];
    };
    "/api/v1/events": {
        /** List events. What has happened to the client’s resources, the oldest first, in order of a sequence without gaps: for programs that poll, and to catch up after an outage of an endpoint. Send `next_after` as `after` for what follows. Events are kept for 30 days, and at most 100,000: where some of those asked for are gone the answer is 400 EVENTS_GONE, with `oldest_sequence`. A request reads at most a thousand events: with selective types a page may be short or empty. Before the first webhook endpoint of a client, and unless we have switched them on, there are no events: 400 WRONG_STATE. */
        get: operations<Decimal>["listEvents"];
    };
    "/api/v1/events/{event_id}": {
        /** Read an event. One event, as it was delivered. One that is no longer kept is rejected with EVENTS_GONE. */
        get: operations<Decimal>["readEvent"];
    };
    "/api/v1/sandbox/payments/{payment_id}/{outcome}": {
        /** Decide about a payment. Leads a payment of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404. From then on the sandbox does nothing by itself, but for a payment left in COMPLIANCE_APPROVED, which is sent a day later by your clock. A payment whose beneficiary's name has the word MANUAL waits for outcomes from the beginning.. | outcome | becomes | from |. | --- | --- | --- |. | `compliance-verification` | COMPLIANCE_VERIFICATION | IN_PROCESS, INFO_REQUESTED |. | `info-requested` | INFO_REQUESTED | IN_PROCESS, COMPLIANCE_VERIFICATION |. | `approved` | COMPLIANCE_APPROVED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED, ERROR |. | `rejected` | COMPLIANCE_REJECTED | IN_PROCESS, COMPLIANCE_VERIFICATION, INFO_REQUESTED |. | `processing` | PG_PROCESSING | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR, PG_PROCESSING with another sub_status |. | `paid` | PAID | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, ERROR |. | `returned` | RETURNED | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING, PAID, ERROR |. | `error` | ERROR | IN_PROCESS, COMPLIANCE_VERIFICATION, COMPLIANCE_APPROVED, INFO_REQUESTED, PG_PROCESSING |. | `cancelled` | CANCELLED | IN_PROCESS, AWAITING_FUNDS, COMPLIANCE_APPROVED, INFO_REQUESTED, ERROR |. | `expired` | CANCELLED | AWAITING_FUNDS |. A payment is RETURNED before PAID with all steps on the way but that one, and after it as a late return. `sub_status` goes with processing and paid: SENT_TO_BENEFICIARY_BANK_ACCOUNT, SENT_TO_BENEFICIARY_BANK, PROCESSED_BY_CLEARING, DEEMED_PAID, TIMED_OUT. */
        post: operations<Decimal>["sandboxPayment"];
    };
    "/api/v1/sandbox/fundings/{gl_reference_number}/{outcome}": {
        /** Decide about a funding. Decides about a funding of yours, before the sandbox does so by itself. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404.. | outcome | becomes | from |. | --- | --- | --- |. | `completed` | COMPLETED | PENDING |. | `rejected` | REJECTED | PENDING |. | `cancelled` | CANCELLED | PENDING |. | `reversed` | REVERSED | COMPLETED |. The same decision again gets the same answer. */
        post: operations<Decimal>["sandboxFunding"];
    };
    "/api/v1/sandbox/conversions/{confirmation_id}/{outcome}": {
        /** Decide about a conversion. Leads a conversion of yours to an outcome. It takes the steps that the real parties would take, moves money as they do, and the history names the sandbox. A status that does not allow the outcome is rejected with WRONG_STATE, which names those that do. Where the ports are not sandboxes the path answers 404.. | outcome | becomes | from |. | --- | --- | --- |. | `settled` | SETTLED | OPEN, OVERDUE |. | `overdue` | OVERDUE | OPEN |. | `cancelled` | CANCELLED | OPEN, OVERDUE |. | `closed-out` | CANCELLED, with the difference to the market charged or credited | OVERDUE |. | `busted` | CANCELLED, its moves reversed | OPEN, OVERDUE, SETTLED |. | `corrected` | the same status, at a rate that is worse by a hundredth | OPEN, OVERDUE, SETTLED |. One that cannot settle, because its sell account lacks the money, is rejected and stays as it is. */
        post: operations<Decimal>["sandboxConversion"];
    };
    "/api/v1/sandbox/clock": {
        /** Read your clock. The time by which your holds end, your conversions settle and your payments expire. Where the ports are not sandboxes the path answers 404. */
        get: operations<Decimal>["sandboxClock"];
        /** Advance your clock. Moves the clock of this client alone: what is due until then happens within a second or two. Ends of holds, settlement and the 30 days of a payment without funds go by it; tokens, rates, market hours and request ids do not. Only forward, by 366 days in all. A settlement date stays the agreed one. After a lost answer read the clock before you advance it again, or send `until`, which may be repeated. Where the ports are not sandboxes the path answers 404. */
        post: operations<Decimal>["advanceSandboxClock"];
    };
    "/api/v1/webhooks": {
        /** List your endpoints. All of them, at most 16, without their secrets. */
        get: operations<Decimal>["listWebhooks"];
        /** Create an endpoint. Registers an address that events are sent to from now on, signed as Standard Webhooks says. The secret is in this answer alone. At most 16: then WEBHOOK_LIMIT. The first endpoint switches your events on. Needs the right `manage`. */
        post: operations<Decimal>["createWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}": {
        /** Read an endpoint. The endpoint without its secret; its ETag is its version. */
        get: operations<Decimal>["readWebhook"];
        /** Remove an endpoint. With its deliveries: nothing more is sent to it. Your events stay on. */
        delete: operations<Decimal>["removeWebhook"];
        /** Change an endpoint. What is absent stays. An endpoint that is not active keeps its place in the sequence: once it is active again it gets what has happened meanwhile, as far as events are kept. */
        patch: operations<Decimal>["changeWebhook"];
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        /** Rotate the secret of an endpoint. A new secret, in this answer alone. For 24 hours each delivery has two signatures, by the new secret and by the one before. A second rotation within that time ends the older one. */
        post: operations<Decimal>["rotateWebhookSecret"];
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        /** List the deliveries of an endpoint. By event, with every attempt. Kept are those that are PENDING and the newest others, 10,000 at most. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: operations<Decimal>["listDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        /** Deliver events again. One event by its id, or those of a range of sequences or of times whose types the endpoint has; at most 1,000 in one request. They have the same ids and bodies as before, and their schedule begins anew. */
        post: operations<Decimal>["replayDeliveries"];
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        /** Send a test event. An event of type `test`, which this endpoint alone gets, whatever its types. Read the deliveries for what came of it. WRONG_STATE: the endpoint is not active. */
        post: operations<Decimal>["testWebhook"];
    };
    "/api/v1/payee-verifications": {
        /** Verify a payee. Asks the bank of an account whether it is in this name, by Verification of Payee for euro in SEPA and by Confirmation of Payee for sterling in the United Kingdom. Send the fields, or `beneficiary_id`. The answer is kept nowhere but in `verification_token`, which a payment of this client to this name and account may carry for ten minutes; the payment shows it. The operator decides which answers are enough, and with which the payment waits. */
        post: operations<Decimal>["verifyPayee"];
    };
}

export interface webhooks<Decimal = number> {
    event: {
        /** An event is delivered. Sent to each active endpoint whose types include it, signed, and of one resource in order. Any other answer than 2xx within 20 seconds, or none, is followed by further attempts, ten in three days. The same event may come twice, with the same webhook-id. */
        post: operations<Decimal>["receiveEvent"];
    };
}
