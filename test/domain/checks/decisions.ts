/** What is decided here where the publishers of the lists disagree, or where what one of them says is not followed. */
export interface Decision {
  readonly kind: string;
  readonly values: readonly string[];
  /** `warned` is accepted, and told of in the dry run. */
  readonly ours: 'accepted' | 'warned' | 'refused';
  readonly why: string;
}

export const DECISIONS: readonly Decision[] = [
  // Two publishers disagree.
  {
    kind: 'iban',
    values:
      words(`RO49AAAA1b31007593840000 FR1420041010050500013m02606 LI21088100002324013aa MT84MALT011000012345mtlcast001s
      QA58DOHB00001234567890abcdefg`),
    ours: 'accepted',
    why: 'Small letters are a way of writing it: an IBAN is read in upper case.',
  },
  {
    kind: 'iban',
    values: [
      'RO49 AAAA 1B31 0075 9384 0000',
      'RO49AAAA1B31007593840000',
      'FR14 2004 1010 0505 0001 3M02 606',
      'FR1420041010050500013M02606',
      'LI21 0881 0000 2324 013A A',
      'LI21088100002324013AA',
      'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
      'MT84MALT011000012345MTLCAST001S',
      'QA58 DOHB 0000 1234 5678 90AB CDEF G',
      'QA58DOHB00001234567890ABCDEFG',
    ],
    ours: 'accepted',
    why: 'The examples of the registry; only their spelling in small letters is disputed.',
  },
  {
    kind: 'iban',
    values: ['GR1601101050000010547023795', 'GR16 0110 1050 0000 1054 7023 795'],
    ours: 'accepted',
    why: "Refused by its publisher as a Belgian one; it is a right Greek one. Which country it has to be is the corridor's question.",
  },
  {
    kind: 'br_cpf',
    values: ['12345678909'],
    ours: 'accepted',
    why: "Its check digits are right; the list that refuses it is one library's own, not the tax office's.",
  },
  {
    kind: 'mx_clabe',
    values: ['002000000000000008'],
    ours: 'refused',
    why: 'There is no place 000: a CLABE names a known bank and a known place.',
  },
  // One publisher speaks, and is not followed.
  {
    kind: 'iban',
    values: ['AA110011123Z5678'],
    ours: 'refused',
    why: 'AA is no country; the form is that of a scheme of internet accounts.',
  },
  {
    kind: 'iban',
    values: ['BI33123412341234', 'NI92BAMC000000000000000003123123'],
    ours: 'refused',
    why: "Older than the entry of these countries in SWIFT's registry, which gave them other lengths (27 and 28).",
  },
  {
    kind: 'iban_national_check',
    values: ['BE41091811735141'],
    ours: 'warned',
    why: 'The two Belgian check digits are wrong: national check digits warn.',
  },
  {
    kind: 'iban_national_check',
    values: ['BE83138811735115'],
    ours: 'accepted',
    why: 'All check digits are right; its publisher knows no Belgian bank 138. A list of the banks of each country is not kept.',
  },
  {
    kind: 'uk_modulus',
    values: ['089999 66374959', '107999 88837493', '118765 64371388', '938063 15764264'],
    ours: 'accepted',
    why: 'Wrong by the table of weights, which the operator supplies; without it an account is judged by its shape.',
  },
];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
