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
  moreAnswered: 'status:string settlement_date:string buy_account:number sell_account:number',
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
    moreAnswered: 'valid_until:string',
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
};
