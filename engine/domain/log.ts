/** The log of all layers: one line per event, with fields for programs and a message for people; never a secret, a token or an account number. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
