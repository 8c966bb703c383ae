/** Password(554), NewPassword(925), RawData(96) and AuthToken(20001) are never shown. */
const SECRET_TAGS: ReadonlySet<number> = new Set([554, 925, 96, 20001]);

export function isSecret(tag: number): boolean {
  return SECRET_TAGS.has(tag);
}

/** A value ends where a separator is followed by the next tag, so that a secret with `|` in it does not show its tail. */
const SECRET_FIELD = /(^|[|\x01])(554|925|96|20001)=[\s\S]*?(?=[|\x01]-?\d+=|[|\x01]?$)/g;

/** FIX text, separated by SOH or `|`, with the values of secret fields replaced by `***`. */
export function redact(text: string): string {
  return text.replace(SECRET_FIELD, '$1$2=***');
}
