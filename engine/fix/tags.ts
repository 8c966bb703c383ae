/** User-defined fields of this interface: 20000 and above, at top level only. */
export const AUTH_TOKEN = 20001;
export const AUTH_TOKEN_EXPIRE_TIME = 20002;
export const BOOK_FX_TYPE = 20005;
export const ERROR_CODE = 20011;
export const VALUE_DATE = 20012;
