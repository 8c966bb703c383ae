/** User-defined fields of this interface: 20000 and above, at top level only. */
export const AUTH_TOKEN = 20001;
export const AUTH_TOKEN_EXPIRE_TIME = 20002;
export const MARGIN_PERCENT = 20003;
export const PROVIDER_RATE = 20004;
export const BOOK_FX_TYPE = 20005;
export const HOLD_ID = 20006;
export const BUY_ACCOUNT = 20007;
export const SELL_ACCOUNT = 20008;
export const MARGIN_VALUE = 20009;
export const ERROR_CODE = 20011;
export const VALUE_DATE = 20012;
export const BUY_CURRENCY = 20013;
export const SELL_CURRENCY = 20014;
export const BUY_AMOUNT = 20015;
export const SELL_AMOUNT = 20016;
