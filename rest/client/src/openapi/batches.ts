/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";
import type { PaymentsSchemas } from "./payments.js";

export interface BatchesPaths<Decimal = number> {
    "/api/v1/batches": {
        /** List batches. The client’s batches. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: BatchesOperations<Decimal>["listBatches"];
        /** Create a batch. Creates an empty batch of payments from one account, `OPEN`. Then add items, validate, close and fund it. The same request again answers with the same batch, with `Idempotent-Replayed: true`. A client has at most 100 batches that have not ended. */
        post: BatchesOperations<Decimal>["createBatch"];
    };
    "/api/v1/batches/{batch_id}": {
        /** Read a batch. Its status, how many items are pending, created, refused and cancelled, their amounts, and how many of its payments have each status. */
        get: BatchesOperations<Decimal>["readBatch"];
    };
    "/api/v1/batches/{batch_id}/items": {
        /** List items. The items of a batch in order, with what each pays to whom, and what has become of it. */
        get: BatchesOperations<Decimal>["listBatchItems"];
        /** Add items. Adds items to a batch that is not closed: all of them, or none. The same item again changes nothing, so that a request may be repeated; with other content it is rejected with 409, or replaced where `replace` is true. As JSON, or as CSV with the names of the fields in the first record, nested ones as `beneficiary.name`. 512 KiB at most. The fields of the payments are checked by the validation. */
        post: BatchesOperations<Decimal>["addBatchItems"];
    };
    "/api/v1/batches/{batch_id}/items/{item_id}": {
        /** Remove an item. Removes an item from a batch that is not closed. */ delete: BatchesOperations<Decimal>["removeBatchItem"];
    };
    "/api/v1/batches/{batch_id}/validate": {
        /** Validate a batch. Checks every item as the creation of its payment does, and answers with all faults of all items. Without any, the batch is `VALIDATED`. An item in another currency than the account names source_amount. */
        post: BatchesOperations<Decimal>["validateBatch"];
    };
    "/api/v1/batches/{batch_id}/close": {
        /** Close a batch. A validated batch becomes `CLOSED`: its items cannot change any more, and each is bound to the version of its beneficiary. From now on `total_amount` is what the funding takes. */
        post: BatchesOperations<Decimal>["closeBatch"];
    };
    "/api/v1/batches/{batch_id}/fund": {
        /** Fund a batch. Reserves the total of a closed batch, with the fees of this moment, and begins to make its payments: `PROCESSING`, then `DONE`. Needs the right pay. Rejected with BENEFICIARY_CHANGED where a beneficiary has changed since the closing: `errors` names the items. Repeating it funds nothing twice. */
        post: BatchesOperations<Decimal>["fundBatch"];
    };
    "/api/v1/batches/{batch_id}/cancel": {
        /** Cancel a batch. Cancels what has not become a payment, and returns the rest of the reserve to the account. Payments that exist are not touched: each can be cancelled by itself. */
        post: BatchesOperations<Decimal>["cancelBatch"];
    };
    "/api/v1/batches/{batch_id}/results": {
        /** Results of a batch. Every item in order, with its payment and that payment’s status, or why it was refused. As CSV with `format=csv`, or where Accept names text/csv; there, a text that a spreadsheet would take as a formula has an apostrophe in front. */
        get: BatchesOperations<Decimal>["batchResults"];
    };
}

export interface BatchesOperations<Decimal = number> {
    listBatches: {
        parameters: {
            query?: Pick<SharedParameters, "to" | "limit" | "cursor"> & {
                /** Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset */ from?: string;
                /** Only batchs with this status; several with commas between them */ status?: string;
                /** Only batches of accounts in this currency */ currency?: string;
            };
        };
        responses: Answer<BatchesSchemas<Decimal>["BatchList"]>;
    };
    createBatch: {
        requestBody: Json<{
            /** Unique id of your own: the same request again gives the same batch */ request_id: string;
            /** Account that pays all items, 12 digits */ source_account: number;
            /** Text of your own, at most 140 characters */ description?: string;
        }>;
        responses: Answer<BatchesSchemas<Decimal>["BatchSummary"]>;
    };
    readBatch: {
        parameters: { path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["Batch"]>;
    };
    listBatchItems: {
        parameters: { query?: Pick<SharedParameters, "limit" | "cursor">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["BatchItemList"]>;
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
                    items: (Omit<PaymentsSchemas<Decimal>["PayoutRequest"], "request_id" | "transaction_number" | "statement_narrative" | "source_account" | "fee_payer" | "remitter"> & {
                        /** Unique id of your own within the batch */ item_id: string;
                        /** Unique id of the request, chosen by the client */ request_id?: string;
                        /** Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
                        transaction_number?: string;
                        /** What the beneficiary's statement says, in the letters of its rail; some corridors take less than 140 characters */
                        statement_narrative?: string;
                        /** Account that pays */ source_account?: number;
                        /** Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered */
                        fee_payer?: "OUR" | "BEN";
                        remitter?: PaymentsSchemas<Decimal>["RemitterDetails"];
                    })[];
                };
                "text/csv": string;
            };
        };
        responses: Answer<BatchesSchemas<Decimal>["BatchItemsAdded"]>;
    };
    removeBatchItem: {
        parameters: {
            header?: Pick<SharedParameters, "If-Match">;
            path: {
                /** Batch id of the creation */ batch_id: string;
                /** Your own id of the item */ item_id: string;
            };
        };
        responses: Answer<BatchesSchemas<Decimal>["BatchSummary"]>;
    };
    validateBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["BatchValidated"]>;
    };
    closeBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["BatchSummary"]>;
    };
    fundBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["BatchSummary"]>;
    };
    cancelBatch: {
        parameters: { header?: Pick<SharedParameters, "If-Match">; path: { /** Batch id of the creation */ batch_id: string } };
        responses: Answer<BatchesSchemas<Decimal>["BatchSummary"]>;
    };
    batchResults: {
        parameters: {
            query?: { /** json or csv; default: as Accept says, else json */ format?: "json" | "csv" };
            path: { /** Batch id of the creation */ batch_id: string };
        };
        responses: { /** Done */ 200: { content: { "application/json": BatchesSchemas<Decimal>["BatchResults"]; "text/csv": string } } };
    };
}

export interface BatchesSchemas<Decimal = number> {
    /** A batch of payments from one account */
    BatchSummary: {
        /** Batch id */ batch_id: string;
        /** Status of the batch */ status: "OPEN" | "VALIDATED" | "CLOSED" | "PROCESSING" | "DONE" | "CANCELLED";
        /** Counts changes of its items and its status: the ETag */ version: number;
        /** Request id of its creation */ request_id: string;
        /** Text of your own */ description: string;
        /** Account that pays all items */ source_account: number;
        /** Currency of that account, and of all amounts here */ currency: string;
        /** Items of the batch */ items: number;
        /** Items that are not payments yet, of a batch that can still be processed */ pending: number;
        /** Items that have become payments */ created: number;
        /** Items that could not become payments */ refused: number;
        /** Items that had not become payments when the batch was cancelled */ cancelled: number;
        /** What its items take of the account with their fees, since it was closed; 0 before */ total_amount: string;
        /** What the payments took of it, with their fees */ created_amount: string;
        /** What came back to the account for refused items */ refused_amount: string;
        /** What is still reserved for pending items */ reserved_amount: string;
        /** When the batch was created (date-time) */ created_at: string;
        /** When it last changed (date-time) */ updated_at: string;
    };
    /** Batches of the client */
    BatchList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: BatchesSchemas<Decimal>["BatchSummary"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** A batch of payments from one account */
    Batch: BatchesSchemas<Decimal>["BatchSummary"] & {
        /** How many of its payments have each status; without those that none has */
        payments: {
            /** Status of payments */
            status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
            /** How many payments of the batch have it */ count: number;
        }[];
    };
    BatchItemsAdded: BatchesSchemas<Decimal>["BatchSummary"] & {
        /** Items that this request has added */ added: number;
        /** Items that it has given other content */ replaced: number;
        /** Items that the batch had already, with this content */ unchanged: number;
    };
    /** Items of a batch, in the order in which they were added */
    BatchItemList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: BatchesSchemas<Decimal>["BatchItem"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    BatchItem: {
        /** Your own id of the item */ item_id: string;
        /** CREATED: it is a payment, whose status follows */ status: "PENDING" | "CREATED" | "REFUSED" | "CANCELLED";
        /** Transaction number of its payment; empty where none was sent */ transaction_number: string;
        /** Payment id; empty without a payment */ payment_id: string;
        /** Status of the payment */
        payment_status: "" | "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
        /** More about that status; often empty */ payment_sub_status: string;
        /** Amount of the payment; before there is one, as the item names it */ amount: string;
        /** Its currency */ currency: string;
        /** Name of the beneficiary; empty for a key without the rights pay and manage */ payee: string;
        /** The last four characters of the account that is paid; empty as payee is */ account_ending: string;
        /** Of a refused item: why */ code: string;
        /** The reason in words */ message: string;
    };
    BatchValidated: BatchesSchemas<Decimal>["BatchSummary"] & {
        /** No item has a fault: the batch is VALIDATED */ valid: boolean;
        /** Items with faults, in order */
        faults: {
            /** Your own id of the item */ item_id: string;
            /** All faults of the item, as the creation of the payment names them */ errors: PaymentsSchemas<Decimal>["FieldFault"][];
        }[];
        /** Further items with faults, which are too many for one answer */ faults_left_out: number;
    };
    BatchResults: BatchesSchemas<Decimal>["BatchSummary"] & { /** Every item, in order */ results: BatchesSchemas<Decimal>["BatchItem"][] };
}
