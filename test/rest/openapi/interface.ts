/**
 * The interface's own fields, as texts: `name:type`, with `!` where it asks for the field. What this service has beside them is named apart,
 * under `moreAsked` and `moreAnswered`: both lists together are all that there is.
 */

export interface InterfaceOperation {
  /** In the path, the query, the headers or the body: every operation has them in one place beside the path. */
  readonly asks: string;
  readonly moreAsked?: string;
  readonly answers: string;
  readonly moreAnswered?: string;
  /** An array of such records. */
  readonly list?: true;
}

const ACCOUNT =
  'account_number:number currency:string auto_bookfx_sequence:number active:boolean default:boolean label:string';
const BALANCE = { answers: `${ACCOUNT} balance:number`, list: true } as const;

const BOOK_FX = 'buy_amount:number sell_amount:number request_id!:string description!:string book_fx_type:string';
const MORE_BOOK_FX = 'fx_hold_id:string settlement_date:string';
const CONFIRMATION = {
  answers:
    'confirmation_id:string buy_amount:number sell_amount:number from_account:number to_account:number buy_currency:string ' +
    'sell_currency:string instarem_fx_rate:number fx_rate:number margin_percent:number margin_value:number created_at:string expiry_at:string',
  moreAnswered:
    'status:string settlement_date:string buy_account:number sell_account:number parent_id?:string changes?:array',
};

const TEXTS = (prefix: string, names: string) =>
  names
    .split(' ')
    .map((name) => `${prefix}${name}:string`)
    .join(' ');

/** Of both versions, at the top. */
const PAYMENT =
  'request_id!:string transaction_number!:string destination_currency:string local_conversion_currency:string ' +
  'statement_narrative!:string original_remitter_fi:string deposit_method:string payout_method:string ' +
  TEXTS('routing_code_', 'type_1 value_1 type_2 value_2 type_3 value_3');
const ADDITIONAL_INFO =
  'additional_info.trade_amount:number additional_info.trade_count:number ' +
  TEXTS(
    'additional_info.',
    'trade_order_id trade_time trade_currency trade_name goods_carrier service_detail service_time cash_pickup',
  );
const REMITTER =
  'name bank_account_number identification_type identification_number country_code address source_of_income contact_number dob ' +
  'city postcode state place_of_birth nationality occupation source_of_funds';
const BENEFICIARY =
  'address city email account_type contact_number dob state postcode wallet_id account_number bank_account_type bank_name bank_code ' +
  'identification_type identification_value card_number card_expiry_date';

const CREATED_PAYMENT =
  'reference_number:string payment_id:string status:string sub_status:string status_description:string created_at:string ' +
  'updated_at:string currency:string';
const BY_STORED = 'beneficiary_id:string beneficiary_version:number verification_token:string';
const PAYMENT_READ = {
  answers:
    'reference_number:string payment_id:string status:string autobookfx_confirmation_id:string sub_status:string ' +
    'status_description:string created_at:string updated_at:string payment_reference_number:string ' +
    'additional_info.currency:string additional_info.amount:string',
  moreAnswered:
    'fee_amount:string fee_currency:string delivered_amount:string delivered_currency:string autobookfx_confirmation_ids:array ' +
    'beneficiary_id?:string beneficiary_version?:number ' +
    'verification.answer:string verification.code:string verification.verified_at:string',
};

export const INTERFACE: Readonly<Record<string, InterfaceOperation>> = {
  'post /api/v1/authentication': {
    asks: 'client_key!:string client_secret!:string',
    answers: 'token:string',
    moreAnswered: 'expires_at:string',
  },
  'get /api/v1/account': { asks: '', answers: ACCOUNT, list: true },
  'get /api/v1/balance/all': { asks: '', ...BALANCE },
  'get /api/v1/balance/currency/{currency}': { asks: 'currency!:string', ...BALANCE },
  'get /api/v1/balance/account/{account_number}': { asks: 'account_number!:number', ...BALANCE },
  'get /api/v1/bookfx/rate': {
    asks: 'sell_currency!:string buy_currency!:string type:string',
    answers:
      'sell_currency:string buy_currency:string fx_rate:number margin:number instarem_fx_rate:number expiry_at:string',
    moreAsked: 'sell_amount:number buy_amount:number',
    moreAnswered: 'valid_until:string sell_amount?:number buy_amount?:number',
  },
  'post /api/v1/bookfx/currency/create': {
    asks: `${BOOK_FX} buy_currency!:string sell_currency!:string`,
    moreAsked: MORE_BOOK_FX,
    ...CONFIRMATION,
  },
  'post /api/v1/bookfx/account/create': {
    asks: `${BOOK_FX} from_account!:number to_account!:number`,
    moreAsked: `${MORE_BOOK_FX} buy_account:number sell_account:number`,
    ...CONFIRMATION,
  },
  'get /api/v1/bookfx/{confirmation_id}': { asks: 'confirmation_id!:string', ...CONFIRMATION },
  'post /api/v1/fund/create': {
    asks: 'account_number!:number amount!:number instarem_deposit_account!:string payment_reference!:string',
    moreAsked: 'request_id:string',
    answers:
      'account_number:string amount:number currency:string gl_reference_number:string status:string created_at:string updated_at:string',
  },
  'get /api/v1/fund/reference/{gl_reference_number}': {
    asks: 'gl_reference_number!:string',
    answers:
      'gl_reference_number:string status:string amount:number currency:string created_at:string updated_at:string',
  },
  'post /api/v1/payments/create': {
    asks:
      `${PAYMENT} ${ADDITIONAL_INFO} account_number:number destination_amount!:number equivalent_amount:number ` +
      'equivalent_currency:string deduct_amount:number ' +
      `${TEXTS('remitter_', REMITTER)} remitter_account_type!:string remitter_given_name:boolean remit_purpose_code:string ` +
      'remitter_beneficiary_relationship:string ' +
      `${TEXTS('beneficiary_', BENEFICIARY)} beneficiary_name!:string beneficiary_country_code!:string`,
    moreAsked: BY_STORED,
    answers: CREATED_PAYMENT,
  },
  'post /api/v2/payouts': {
    asks:
      `${PAYMENT} ${ADDITIONAL_INFO} source_account!:number source_amount:number destination_amount:number ` +
      'destination_account:number fee_payer!:string payout_options.fx_hold_id:string payout_options.deduct_amount:number ' +
      `${TEXTS('remitter.', REMITTER)} remitter.account_type!:string remitter.given_name:boolean remitter.purpose_code:string ` +
      `${TEXTS('beneficiary.', BENEFICIARY)} beneficiary.name!:string beneficiary.country_code!:string beneficiary.relationship:string`,
    moreAsked: BY_STORED,
    answers: `${CREATED_PAYMENT} hold_fx_expires_on:string`,
  },
  'get /api/v1/payments/id/{payment_id}': { asks: 'payment_id!:string', ...PAYMENT_READ },
  'get /api/v1/payments/reference/{reference_number}': { asks: 'reference_number!:string', ...PAYMENT_READ },
};
