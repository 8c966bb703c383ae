/** Generated from the OpenAPI document by `npm run docs`: change the routes that it is made from, not this file. */
import type { Answer, Json, SharedParameters } from "./shared.js";

export interface PaymentsPaths<Decimal = number> {
    "/api/v1/payments/create": {
        /** Send a payment. Pays destination_amount, or with 0 there the value of equivalent_amount at the client's rate of this moment, from the account named, or from the default one in the payment currency; the fee is on top. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request. */
        post: PaymentsOperations<Decimal>["createPayment"];
    };
    "/api/v2/payouts": {
        /** Send a payout. The second version: nested, and rejects unknown fields. Exactly one amount is given: destination_amount, what the beneficiary is paid, or source_amount, all that leaves the source account, which then pays alone. With fee_payer OUR the fee is on top of destination_amount and within source_amount; with BEN it comes out of what is delivered. With fx_hold_id the source account is sold at the held rate, which is used by that. An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall. Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request. */
        post: PaymentsOperations<Decimal>["createPayout"];
    };
    "/api/v1/payments/id/{payment_id}": {
        /** Read a payment by its id. The current state of the payment. */ get: PaymentsOperations<Decimal>["readPayment"];
    };
    "/api/v1/payments/reference/{reference_number}": {
        /** Read a payment by your own number. The current state of the payment. */
        get: PaymentsOperations<Decimal>["readPaymentByReference"];
    };
    "/api/v1/payments/id/{payment_id}/cancel": {
        /** Cancel a payment. Until it is sent to the beneficiary’s bank: it becomes USER_REJECTED and is refunded in full, fee included, to the account that paid and in its currency; a conversion made for it is not reversed. From PG_PROCESSING on it is rejected with NOT_CANCELLABLE and its status. */
        post: PaymentsOperations<Decimal>["cancelPayment"];
    };
    "/api/v1/payments/id/{payment_id}/information": {
        /** Answer a request for information. For a payment in INFO_REQUESTED, whose status_description has the question: it returns to compliance. In any other status it is rejected with WRONG_STATE. */
        post: PaymentsOperations<Decimal>["answerInformation"];
    };
    "/api/v1/payments": {
        /** List payments. The client’s payments of both versions. The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`. */
        get: PaymentsOperations<Decimal>["listPayments"];
    };
    "/api/v1/payments/validate": {
        /** Validate a payment. The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked. */
        post: PaymentsOperations<Decimal>["validatePayment"];
    };
    "/api/v2/payouts/validate": {
        /** Validate a payout. The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked. */
        post: PaymentsOperations<Decimal>["validatePayout"];
    };
}

export interface PaymentsOperations<Decimal = number> {
    createPayment: {
        requestBody: Json<PaymentsSchemas<Decimal>["PaymentRequest"]>;
        responses: Answer<PaymentsSchemas<Decimal>["CreatedPayment"]>;
    };
    createPayout: {
        requestBody: Json<PaymentsSchemas<Decimal>["PayoutRequest"]>;
        responses: Answer<PaymentsSchemas<Decimal>["CreatedPayout"]>;
    };
    readPayment: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        responses: Answer<PaymentsSchemas<Decimal>["Payment"]>;
    };
    readPaymentByReference: {
        parameters: { path: { /** Transaction number of the creation */ reference_number: string } };
        responses: Answer<PaymentsSchemas<Decimal>["Payment"]>;
    };
    cancelPayment: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        responses: Answer<PaymentsSchemas<Decimal>["Payment"]>;
    };
    answerInformation: {
        parameters: { path: { /** Payment id returned by the creation */ payment_id: string } };
        requestBody: Json<{ /** The answer, 1 to 2,000 characters */ information: string }>;
        responses: Answer<PaymentsSchemas<Decimal>["Payment"]>;
    };
    listPayments: {
        parameters: {
            query?: Pick<SharedParameters, "from" | "to" | "limit" | "cursor"> & {
                /** Only payments with this status; several with commas between them */ status?: string;
                /** Only payments in this currency */ currency?: string;
            };
        };
        responses: Answer<PaymentsSchemas<Decimal>["PaymentList"]>;
    };
    validatePayment: {
        requestBody: Json<PaymentsSchemas<Decimal>["PaymentRequest"]>;
        responses: Answer<PaymentsSchemas<Decimal>["PaymentValidation"]>;
    };
    validatePayout: {
        requestBody: Json<PaymentsSchemas<Decimal>["PayoutRequest"]>;
        responses: Answer<PaymentsSchemas<Decimal>["PaymentValidation"]>;
    };
}

export interface PaymentsSchemas<Decimal = number> {
    /** What is wrong with a field */
    FieldFault: {
        /** Name of the field; of a nested one with dots */ field: string;
        /** What is wrong with it */
        code: "field_missing" | "incorrect_format" | "incorrect_value" | "unsupported_field" | "invalid_combination" | "not_allowed";
        /** The same for people */ message: string;
        /** Rule of the payment that says so: G8 is a general one, IN.account a country’s */ rule?: string;
    };
    CreatedPayment: {
        /** The client's transaction number */ reference_number: string;
        /** Payment id */ payment_id: string;
        /** Status of the payment */
        status: "IN_PROCESS" | "AWAITING_FUNDS" | "COMPLIANCE_VERIFICATION" | "COMPLIANCE_APPROVED" | "COMPLIANCE_REJECTED" | "INFO_REQUESTED" | "PG_PROCESSING" | "PAID" | "RETURNED" | "ERROR" | "CANCELLED" | "USER_REJECTED";
        /** More about the status; often empty */
        sub_status: "" | "SENT_TO_BENEFICIARY_BANK_ACCOUNT" | "SENT_TO_BENEFICIARY_BANK" | "PROCESSED_BY_CLEARING" | "DEEMED_PAID" | "TIMED_OUT" | "FUNDING_EXPIRED" | "HOLD_EXPIRED" | "RFI_ANSWERED";
        /** The status in words; of ERROR with the message of the bank */ status_description: string;
        /** When the payment was created (date-time) */ created_at: string;
        /** When it last changed (date-time) */ updated_at: string;
        /** Currency that the beneficiary receives */ currency: string;
    };
    CreatedPayout: PaymentsSchemas<Decimal>["CreatedPayment"] & {
        /** When the held rate expires; empty without one */ hold_fx_expires_on: string;
    };
    Payment: Omit<PaymentsSchemas<Decimal>["CreatedPayment"], "currency"> & {
        /** Confirmation id of the first conversion made for it; empty without */ autobookfx_confirmation_id: string;
        /** Confirmation number of the beneficiary's bank; empty before */ payment_reference_number: string;
        /** What is paid */
        additional_info: {
            /** Currency that the beneficiary receives */ currency: string;
            /** Amount of the payment, with all decimals of its currency; empty while a source amount awaits its funds */ amount: string;
        };
        /** What leaves the account beside what is delivered: the fee, deduct_amount, and what is less than the unit of country and method. As agreed while the payment awaits its funds; empty where only a conversion will tell. Stays when the payment ends: the status determines what was refunded */
        fee_amount: string;
        /** Currency of fee_amount */ fee_currency: string;
        /** What the beneficiary receives; as agreed, and empty, as fee_amount */ delivered_amount: string;
        /** Currency of delivered_amount */ delivered_currency: string;
        /** All conversions made for it, in order: at a hold, and by Auto Book FX */ autobookfx_confirmation_ids: string[];
        /** The stored beneficiary that it named; absent without */ beneficiary_id?: string;
        /** The version that its fields are from; absent without */ beneficiary_version?: number;
        /** The verification of the payee that the payment carried; absent without */
        verification?: {
            /** What the bank of the payee has answered */ answer: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE";
            /** The code of the scheme; empty where it has none */ code: string;
            /** When it has answered (date-time) */ verified_at: string;
        };
    };
    /** Payments of the client */
    PaymentList: {
        /** The newest first; with filters a page may be short, or empty, before the end */ data: PaymentsSchemas<Decimal>["Payment"][];
        /** To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list */ next_cursor: string;
    };
    /** What a dry run has found */
    PaymentValidation: {
        /** The body is valid: the payment can be created */ valid: boolean;
        /** Possible later problems; they do not reject the payment */ warnings: PaymentsSchemas<Decimal>["FieldFault"][];
    };
    PaymentRequest: Omit<PaymentsSchemas<Decimal>["PayoutRequest"], "source_account" | "source_amount" | "destination_amount" | "destination_account" | "fee_payer" | "remitter" | "beneficiary" | "payout_options"> & {
        /** Account that pays. Default: the default account in the payment currency */ account_number?: number;
        /** Amount paid to the beneficiary; 0 when equivalent_amount decides */ destination_amount: Decimal;
        /** Amount that is converted into the destination currency; mandatory when destination_amount is 0 */ equivalent_amount?: Decimal;
        /** Currency of equivalent_amount */ equivalent_currency?: string;
        /** Amount deducted from what is delivered */ deduct_amount?: Decimal;
        /** 8 to 16 characters, digits with an optional + in front (E.164) */ remitter_contact_number?: string;
        /** Date of birth, YYYY-MM-DD */ remitter_dob?: string;
        /** City */ remitter_city?: string;
        /** State, province or region */ remitter_state?: string;
        /** Postal code */ remitter_postcode?: string;
        /** Street address */ remitter_address?: string;
        /** Remitter's name; mandatory where the client pays on behalf of others */ remitter_name?: string;
        /** Whether the remitter's name may contain initials */ remitter_given_name?: boolean;
        /** Individual or Company */ remitter_account_type: "Individual" | "Company";
        /** Remitter's own bank account */ remitter_bank_account_number?: string;
        /** Kind of document; type and number come together */
        remitter_identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
        /** Number of the document */ remitter_identification_number?: string;
        /** ISO 3166-1 code of two upper-case letters */ remitter_country_code?: string;
        /** What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade */
        remit_purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
        /** Source of the remitter's income; default Business Relations */ remitter_source_of_income?: string;
        /** Where the money comes from */ remitter_source_of_funds?: string;
        /** Country of birth: ISO 3166-1 code of two upper-case letters */ remitter_place_of_birth?: string;
        /** Nationality: ISO 3166-1 code of two upper-case letters */ remitter_nationality?: string;
        /** Occupation */
        remitter_occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
        /** 8 to 16 characters, digits with an optional + in front (E.164) */ beneficiary_contact_number?: string;
        /** Date of birth, YYYY-MM-DD */ beneficiary_dob?: string;
        /** City */ beneficiary_city?: string;
        /** State, province or region */ beneficiary_state?: string;
        /** Postal code */ beneficiary_postcode?: string;
        /** Street address */ beneficiary_address?: string;
        /** Beneficiary's name */ beneficiary_name?: string;
        /** Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */ beneficiary_country_code?: string;
        /** Email address */ beneficiary_email?: string;
        /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
        beneficiary_account_type?: "Individual" | "Company";
        /** Wallet, mostly a telephone number; mandatory for WALLET */ beneficiary_wallet_id?: string;
        /** Account number or IBAN; mandatory for BANK */ beneficiary_account_number?: string;
        /** Checking, Saving or Maestra */ beneficiary_bank_account_type?: "Checking" | "Saving" | "Maestra";
        /** Name of the beneficiary's bank */ beneficiary_bank_name?: string;
        /** Code of the beneficiary's bank, beside the routing codes */ beneficiary_bank_code?: string;
        /** Kind of document; type and value come together */
        beneficiary_identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
        /** Number of the document; its check digits are looked at */ beneficiary_identification_value?: string;
        /** Card number; mandatory for CARD */ beneficiary_card_number?: string;
        /** Month in which the card expires, YYYY-MM */ beneficiary_card_expiry_date?: string;
        /** Relationship between remitter and beneficiary */ remitter_beneficiary_relationship?: string;
    };
    PayoutRequest: {
        /** Unique id of the request, chosen by the client */ request_id: string;
        /** Unique transaction number of the client, for ever and over both versions: a known one is answered with 409 */
        transaction_number: string;
        /** Currency that the beneficiary receives: ISO 4217 code of three upper-case letters. Default: that of the beneficiary country's corridor */
        destination_currency?: string;
        /** Local currency of the beneficiary's country: ISO 4217 code of three upper-case letters. Moves no money */
        local_conversion_currency?: string;
        /** What the beneficiary's statement says, in the letters of its rail; some corridors take less than 140 characters */
        statement_narrative: string;
        /** Financial institution of the original remitter, where the client pays for another */ original_remitter_fi?: string;
        /** How the beneficiary is paid. Default: BANK */ deposit_method?: "CASH" | "BANK" | "CARD" | "WALLET";
        /** How the beneficiary is paid; it must agree with deposit_method. Default: BANK */
        payout_method?: "CASH_PAYOUT" | "BANK" | "CARD" | "WALLET";
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_1?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */ routing_code_value_1?: string;
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_2?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */ routing_code_value_2?: string;
        /** Kind of the routing code; which ones, the corridor says. Value and type come together */
        routing_code_type_3?: "SWIFT" | "IFSC" | "SORT CODE" | "ACH CODE" | "BRANCH CODE" | "BSB CODE" | "BANK CODE";
        /** Routing code of the matching type */ routing_code_value_3?: string;
        /** Id of a stored beneficiary, instead of the fields of beneficiary, method and routing codes */ beneficiary_id?: string;
        /** Version of that beneficiary: where it has changed since, the payment is refused with VERSION_CONFLICT */
        beneficiary_version?: number;
        /** Token of the answer of POST /api/v1/payee-verifications for this name and account, less than ten minutes old */
        verification_token?: string;
        /** Account that pays */ source_account: number;
        /** Amount that leaves the source account, in its currency. Exactly one of source_amount and destination_amount */
        source_amount?: Decimal;
        /** Amount paid to the beneficiary */ destination_amount?: Decimal;
        /** Destination account number: kept, and moves no money */ destination_account?: number;
        /** Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered */ fee_payer: "OUR" | "BEN";
        remitter: PaymentsSchemas<Decimal>["RemitterDetails"];
        beneficiary?: PaymentsSchemas<Decimal>["BeneficiaryDetails"];
        /** About the trade or service that is paid, and for CASH where it is collected */
        additional_info?: {
            /** Id of the order that is paid */ trade_order_id?: string;
            /** Time of the order */ trade_time?: string;
            /** Currency of the order: ISO 4217 code of three upper-case letters */ trade_currency?: string;
            /** Amount of the order */ trade_amount?: Decimal;
            /** What was ordered */ trade_name?: string;
            /** How many were ordered */ trade_count?: number;
            /** Who carries the goods */ goods_carrier?: string;
            /** What the service is */ service_detail?: string;
            /** When the service was given */ service_time?: string;
            /** Where the beneficiary collects; mandatory for CASH */ cash_pickup?: string;
        };
        /** How the payment is made */
        payout_options?: {
            /** Id of a rate that was locked and is held: the payment converts at it */ fx_hold_id?: string;
            /** Amount deducted from what is delivered */ deduct_amount?: Decimal;
        };
    };
    /** Who pays */
    RemitterDetails: {
        /** 8 to 16 characters, digits with an optional + in front (E.164) */ contact_number?: string;
        /** Date of birth, YYYY-MM-DD */ dob?: string;
        /** City */ city?: string;
        /** State, province or region */ state?: string;
        /** Postal code */ postcode?: string;
        /** Street address */ address?: string;
        /** Remitter's name; mandatory where the client pays on behalf of others */ name?: string;
        /** Whether the remitter's name may contain initials */ given_name?: boolean;
        /** Individual or Company */ account_type: "Individual" | "Company";
        /** Remitter's own bank account */ bank_account_number?: string;
        /** Kind of document; type and number come together */
        identification_type?: "Registration Number" | "Registration ID" | "ACRA" | "Travel agent License number" | "Company Registration No" | "License No" | "ARNU" | "DRLC" | "NIDN" | "CCPT";
        /** Number of the document */ identification_number?: string;
        /** ISO 3166-1 code of two upper-case letters */ country_code?: string;
        /** What the payment is for: IR001 Transfer to own account; IR002 Family maintenance; IR003 Education-related student expenses; IR004 Medical treatment; IR005 Hotel accommodation; IR006 Travel; IR007 Utility bills; IR008 Repayment of loans; IR009 Tax payment; IR010 Purchase of residential property; IR011 Payment of property rental; IR012 Insurance premium; IR013 Product indemnity insurance; IR014 Insurance claims payment; IR015 Mutual fund investment; IR016 Investment in shares; IR017 Donations; IR01801 Information service charges; IR01802 Advertising and public relations-related expenses; IR01803 Royalty, trademark, patent and copyright fees; IR01804 Fees for brokers, front end fee, commitment fee, guarantee fee and custodian fee; IR01805 Fees for advisors, technical assistance and academic knowledge, including remuneration for specialists; IR01806 Representative office expenses; IR01807 Construction costs/expenses; IR01808 Transportation fees for goods; IR01809 Payment for exported goods; IR01810 Delivery fees for goods; IR01811 General goods trades, offline trade */
        purpose_code?: "IR001" | "IR002" | "IR003" | "IR004" | "IR005" | "IR006" | "IR007" | "IR008" | "IR009" | "IR010" | "IR011" | "IR012" | "IR013" | "IR014" | "IR015" | "IR016" | "IR017" | "IR01801" | "IR01802" | "IR01803" | "IR01804" | "IR01805" | "IR01806" | "IR01807" | "IR01808" | "IR01809" | "IR01810" | "IR01811";
        /** Source of the remitter's income; default Business Relations */ source_of_income?: string;
        /** Where the money comes from */ source_of_funds?: string;
        /** Country of birth: ISO 3166-1 code of two upper-case letters */ place_of_birth?: string;
        /** Nationality: ISO 3166-1 code of two upper-case letters */ nationality?: string;
        /** Occupation */
        occupation?: "ADMINISTRATIVE" | "AGRICULTURE" | "AUTOMOTIVE" | "CONSULTING" | "CUSTOMER CARE/RETAIL" | "EDUCATION" | "ENGINEER" | "ENTERTAINMENT" | "ENTREPRENEUR" | "EXECUTIVE" | "EXPLICIT SERVICES" | "FINANCIAL SERVICES" | "HEALTHCARE" | "HUMAN RESOURCES" | "INFORMATION TECHNOLOGY (IT)" | "LEGAL" | "PERSONAL SERVICES" | "PHYSICAL WORKER" | "PUBLIC SERVANT" | "RELIGIOUS" | "RESTAURANT" | "RETIREE" | "SPORT" | "STUDENT" | "UNEMPLOYED/HOMEMAKER";
    };
    /** Who is paid */
    BeneficiaryDetails: Pick<PaymentsSchemas<Decimal>["RemitterDetails"], "contact_number" | "dob" | "city" | "state" | "postcode" | "address"> & {
        /** Beneficiary's name */ name?: string;
        /** Country in which the beneficiary is paid: ISO 3166-1 code of two upper-case letters */ country_code?: string;
        /** Email address */ email?: string;
        /** Individual or Company. Default: Company where the identification is one that companies alone have, else Individual */
        account_type?: "Individual" | "Company";
        /** Wallet, mostly a telephone number; mandatory for WALLET */ wallet_id?: string;
        /** Account number or IBAN; mandatory for BANK */ account_number?: string;
        /** Checking, Saving or Maestra */ bank_account_type?: "Checking" | "Saving" | "Maestra";
        /** Name of the beneficiary's bank */ bank_name?: string;
        /** Code of the beneficiary's bank, beside the routing codes */ bank_code?: string;
        /** Kind of document; type and value come together */
        identification_type?: "Company Organization Code" | "Company Social Credit Code" | "Passport" | "Company Registration No." | "CUIT" | "CUIL" | "CPF" | "CNPJ" | "RUT" | "CC" | "NIT" | "CE" | "PASS" | "DNI" | "RUC" | "CI";
        /** Number of the document; its check digits are looked at */ identification_value?: string;
        /** Card number; mandatory for CARD */ card_number?: string;
        /** Month in which the card expires, YYYY-MM */ card_expiry_date?: string;
        /** Relationship between remitter and beneficiary */ relationship?: string;
    };
}
