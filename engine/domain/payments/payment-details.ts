/**
 * Who pays whom, by which way and what for: the one form that both versions of the payment operation have inside. A field that was not
 * sent is absent; no field is ever null. Names are those of the interface's second version, in our spelling.
 */

export const PAYMENT_METHODS = ['BANK', 'CASH', 'CARD', 'WALLET'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export interface Remitter {
  readonly name?: string | undefined;
  /** Whether the name may contain initials. */
  readonly givenName?: boolean | undefined;
  readonly accountType?: string | undefined;
  readonly bankAccountNumber?: string | undefined;
  readonly identificationType?: string | undefined;
  readonly identificationNumber?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly address?: string | undefined;
  readonly purposeCode?: string | undefined;
  readonly sourceOfIncome?: string | undefined;
  readonly contactNumber?: string | undefined;
  /** YYYY-MM-DD. */
  readonly dob?: string | undefined;
  readonly city?: string | undefined;
  readonly postcode?: string | undefined;
  readonly state?: string | undefined;
  readonly sourceOfFunds?: string | undefined;
  readonly placeOfBirth?: string | undefined;
  readonly nationality?: string | undefined;
  readonly occupation?: string | undefined;
}

export interface Beneficiary {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly email?: string | undefined;
  readonly accountType?: string | undefined;
  readonly contactNumber?: string | undefined;
  readonly dob?: string | undefined;
  readonly state?: string | undefined;
  readonly postcode?: string | undefined;
  readonly walletId?: string | undefined;
  readonly accountNumber?: string | undefined;
  readonly bankAccountType?: string | undefined;
  readonly bankName?: string | undefined;
  readonly bankCode?: string | undefined;
  readonly identificationType?: string | undefined;
  readonly identificationValue?: string | undefined;
  readonly cardNumber?: string | undefined;
  /** YYYY-MM. */
  readonly cardExpiryDate?: string | undefined;
  /** Between remitter and beneficiary. */
  readonly relationship?: string | undefined;
}

export interface AdditionalInfo {
  readonly tradeOrderId?: string | undefined;
  readonly tradeTime?: string | undefined;
  readonly tradeCurrency?: string | undefined;
  readonly tradeAmount?: number | undefined;
  readonly tradeName?: string | undefined;
  readonly tradeCount?: number | undefined;
  readonly goodsCarrier?: string | undefined;
  readonly serviceDetail?: string | undefined;
  readonly serviceTime?: string | undefined;
  readonly cashPickup?: string | undefined;
}

export interface PaymentDetails {
  readonly statementNarrative?: string | undefined;
  readonly localConversionCurrency?: string | undefined;
  readonly depositMethod?: string | undefined;
  readonly payoutMethod?: string | undefined;
  readonly originalRemitterFi?: string | undefined;
  readonly routingCodeType1?: string | undefined;
  readonly routingCodeValue1?: string | undefined;
  readonly routingCodeType2?: string | undefined;
  readonly routingCodeValue2?: string | undefined;
  readonly routingCodeType3?: string | undefined;
  readonly routingCodeValue3?: string | undefined;
  /** Second version only. */
  readonly destinationAccount?: number | undefined;
  readonly remitter: Remitter;
  readonly beneficiary: Beneficiary;
  readonly additionalInfo: AdditionalInfo;
}

/** Who is paid and where, of all that a payment has. */
export type PayeeDetails = Pick<
  PaymentDetails,
  | 'beneficiary'
  | 'routingCodeType1'
  | 'routingCodeType2'
  | 'routingCodeType3'
  | 'routingCodeValue1'
  | 'routingCodeValue2'
  | 'routingCodeValue3'
>;

/** What names the account that is paid, as it was sent; '' without. */
export function payeeNumber(method: PaymentMethod, beneficiary: Beneficiary): string {
  const { walletId, cardNumber, contactNumber, accountNumber } = beneficiary;
  return { WALLET: walletId, CARD: cardNumber, CASH: contactNumber, BANK: accountNumber }[method] ?? '';
}
