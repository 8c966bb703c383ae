/** What is decided here where the publishers of the lists disagree, or where what one of them says is not followed. */
export interface Decision {
  readonly kind: string;
  readonly values: readonly string[];
  /** `warned` is accepted, and the dry run warns. */
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
    kind: 'ifsc',
    values: words(`BOTM0000500 BOTM0XEEMRA DLXB0000500 HPSC0000300 PUNB0000000 SBIN0020084 SBIN0020242 SBIN0020273
      SBIN0020278 SBIN0020279 SBIN0020281 SBIN0020347 SBIN0020578 SBIN0020588 SBIN0020673 SBIN0020679
      SBIN0020703 SBIN0020741 SBIN0020759 SBIN0020823 SBIN0020833 SBIN0031004 SBIN0031014 SBIN0031287
      SBIN0031355 SBIN0031376 SBIN0031384 SBIN0031418 SBIN0031439 SBIN0031631 SBIN0031666 SBIN0031717
      SBIN0031775 SBIN0031839 SBIN0031975 SBIN0032327 SBIN0040001 SBIN0040368 SBIN0040421 SBIN0040538
      SBIN0040554 SBIN0040559 SBIN0040563 SBIN0040579 SBIN0040691 SBIN0040747 SBIN0040748 SBIN0040757
      SBIN0041089 SBIN0050167 SBIN0050176 SBIN0050179 SBIN0050183 SBIN0050273 SBIN0050285 SBIN0050313
      SBIN0050489 SBIN0050589 SBIN0050685 SBIN0050732 SBIN0050749 SBIN0050895 SBIN0051196 SBIN0051511
      SBIN0070001 SBIN0070002 SBIN0070391 SBIN0070405 SBIN0070500 SBIN0070508 SBIN0070534 SBIN0070541
      SBIN0070590 SBIN0070626 SBIN0070645 SBIN0070656 SBIN0070666 SBIN0070910 SBIN0071110 SBIN0071112
      SBIN0071237`),
    ours: 'warned',
    why: 'Branches open every week: one of a known bank that the directory lacks may be new.',
  },
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
    kind: 'iban',
    values: words(`BF4512341234123412341234123 BJ83A12312341234123412341234 CF4220001000010120069700160
      CG3930013020003710721836132 CI77A12312341234123412341234 CM1512341234123412341234123 DZ3512341234123412341234
      GQ7050002001003715228190196 GW04GW1430010181800637601 IR081234123412341234123412 KM4600005000010010904400137
      MA64011519000001205000534921 MG4012341234123412341234123 ML75A12312341234123412341234 MZ97123412341234123412341
      NE58NE0380100100130305000268 SN15A12312341234123412341234 TG53TG0090604310346500400070`),
    ours: 'refused',
    why: "These countries have no entry in SWIFT's registry: their accounts are paid by number and BIC.",
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
