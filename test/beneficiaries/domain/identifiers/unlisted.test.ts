/** Kinds without a published list, and rules that the lists have no value for. */
import { expect, test } from 'vitest';
import {
  luhnFault,
  nubanFault,
  nzAccountFault,
} from '../../../../engine/domain/beneficiaries/identifiers/account-numbers.js';
import {
  abaFault,
  bicFault,
  bicPartyFault,
  bsbDirectoryFault,
  bsbFault,
  clabeFault,
  ifscDirectoryFault,
  ifscFault,
  sortCodeFault,
} from '../../../../engine/domain/beneficiaries/identifiers/bank-codes.js';
import { ibanFault, ibanNationalFault } from '../../../../engine/domain/beneficiaries/identifiers/iban.js';
import {
  ccFault,
  ceFault,
  ciFault,
  cnpjFault,
  cuitFault,
  rfcCheckFault,
  rfcFault,
  rucFault,
} from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-americas.js';
import {
  orgCodeFault,
  passportFault,
  uenFault,
  usccFault,
} from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-asia-pacific.js';

const digits = 'wrong check digit';
const country = 'the country of this BIC is not FR';
const lettersOfNoBank = 'no bank has an IFSC with these four letters';

test.each([
  // check            value                                  fault
  ['Luhn', luhnFault('4111 1111 1111 1111'), undefined],
  ['Luhn, 15 digits', luhnFault('378282246310005'), undefined],
  ['Luhn, 19 digits', luhnFault('6304000000000000000'), undefined],
  ['Luhn, mistyped', luhnFault('4111111111111112'), digits],
  ['Luhn, short', luhnFault('79927398713'), 'a card number has 12 to 19 digits'],

  // The example of the Central Bank's standard: serial number 000001457 at bank 011.
  ['NUBAN', nubanFault('011', '0000014579'), undefined],
  ['NUBAN, code in six digits', nubanFault('000011', '0000014579'), undefined],
  ['NUBAN, another bank', nubanFault('058', '0000014579'), digits],
  ['NUBAN, mistyped', nubanFault('011', '0000014578'), digits],
  ['NUBAN, check digit 0', nubanFault('011', '0000000110'), undefined],
  ['NUBAN, code of an other institution', nubanFault('950515', '0000014579'), digits],
  ['NUBAN, no such code', nubanFault('11', '0000014579'), 'the code of a bank has 3 or 6 digits'],
  ['NUBAN, short', nubanFault('011', '000001457'), 'a NUBAN has 10 digits'],

  // The example of GB 11714.
  ['organization code', orgCodeFault('D2143569-X'), undefined],
  ['organization code, mistyped', orgCodeFault('D21435690'), digits],
  ['organization code, small letters', orgCodeFault('d2143569x'), undefined],
  ['organization code, check digit 0', orgCodeFault('100000040'), undefined],
  ['social credit code of a rural body', usccFault('N2330106MF1234567L'), undefined],

  ['CC', ccFault('1.032.456.789'), undefined],
  ['CC, short', ccFault('12345'), 'a CC has 6 to 10 digits'],
  ['CE', ceFault('123456'), undefined],
  ['CE, long', ceFault('12345678901'), 'a CE has 6 to 10 digits'],
  ['passport', passportFault('ab123456'), undefined],
  ['passport, short', passportFault('AB123'), 'a passport number has 6 to 12 letters and digits'],
  ['passport, mark', passportFault('AB12345.6'), 'a passport number has 6 to 12 letters and digits'],

  ['CI of Uruguay', ciFault('1.234.567-2', 'UY'), undefined],
  ['CI of Uruguay, mistyped', ciFault('1.234.567-3', 'UY'), digits],
  ['CI of Uruguay, check digit 0', ciFault('10000020', 'UY'), undefined],
  ['CI of Uruguay, of seven digits', ciFault('123.456-1', 'UY'), undefined],
  ['CI of Bolivia', ciFault('4567890', 'BO'), undefined],
  ['CI of Bolivia, complement and department', ciFault('4567890-1A LP', 'BO'), undefined],
  ['CI of Bolivia, short', ciFault('4567', 'BO'), 'a CI has 5 to 10 digits'],

  ['CUIT, check 10 written 9', cuitFault('20-10123456-9'), undefined],
  ['CUIL of no kind of holder', cuitFault('28-10123456-9'), 'no holder has these first two digits'],
  ['CNPJ, small letters', cnpjFault('12abc34501de35'), undefined],
  ['CNPJ, letters for check digits', cnpjFault('12ABC34501DE3A'), 'a CNPJ has 12 digits or letters and 2 check digits'],

  ['sort code', sortCodeFault('20-00-00'), undefined],
  ['sort code, short', sortCodeFault('20-00-0'), 'a sort code has 6 digits'],
  ['BSB', bsbFault('062-000'), undefined],
  ['BSB, short', bsbFault('06200'), 'a BSB has 6 digits'],
  ['BSB in the directory', bsbDirectoryFault('012-004'), undefined],
  ['BSB not in the directory', bsbDirectoryFault('012-005'), 'not in the BSB directory'],
  ['ABA of the Treasury', abaFault('000000518'), 'no bank has a routing number with these first two digits'],
  ['ABA, the directory’s only one with another prefix', abaFault('655060042') !== undefined, true],

  ['IFSC in the directory', ifscDirectoryFault('hdfc0000001'), undefined],
  ['IFSC with letters in the directory', ifscDirectoryFault('HDFC0CAGSBK'), undefined],
  ['IFSC that the directory lacks', ifscFault('ICIC0000104'), undefined],
  ['IFSC that the directory lacks, warned of', ifscDirectoryFault('ICIC0000104'), 'not in the IFSC directory'],
  ['IFSC with letters that the directory lacks', ifscFault('BARB0ZOOTIN'), undefined],
  ['IFSC with letters, warned of', ifscDirectoryFault('BARB0ZOOTIN'), 'not in the IFSC directory'],
  ['IFSC of no bank, warned of', ifscDirectoryFault('AXIS0000001'), 'not in the IFSC directory'],
  ['IFSC of no bank', ifscFault('AXIS0000001'), lettersOfNoBank],
  ['IFSC without its 0', ifscFault('HDFC1000001'), 'an IFSC has four letters, 0, and six letters or digits'],

  ['BIC of the right country', bicFault('DEUTDEFF500', 'DE'), undefined],
  ['BIC of another country', bicFault('DEUTDEFF500', 'FR'), country],
  ['BIC of no country', bicFault('DEUTZZFF'), 'no such country at characters 5 and 6'],
  ['BIC of Kosovo', bicFault('NCBVXKPR'), undefined],
  ['BIC with digits first', bicFault('1234DEWWXXX'), undefined],
  ['BIC with digits first, warned of', bicPartyFault('1234DEWWXXX'), 'a digit among the first four characters'],
  ['BIC with letters first', bicPartyFault('DEUTDEFF500'), undefined],

  ['RUC of a company in Ecuador, no check digit', rucFault('0990000017001', 'EC'), undefined],
  ['RUC of Ecuador, no establishment', rucFault('0990000017000', 'EC') !== undefined, true],
  ['RUC of Ecuador, kind 7', rucFault('0970000017001', 'EC') !== undefined, true],
  ['RUC of Paraguay with a letter', rucFault('1234567A-2', 'PY'), undefined],
  ['RUC of Paraguay with a letter, wrong', rucFault('1234567A-3', 'PY'), 'wrong check digit'],
  ['RUC of Paraguay with two letters', rucFault('123456AB-2', 'PY') !== undefined, true],
  ['IBAN, dotless i', ibanFault('ıE29AIBK93115212345678') !== undefined, true],
  ['IBAN, check digits 98 less 97', ibanFault('DE01370400440532013000') !== undefined, true],
  ['IBAN, national check digits right', ibanNationalFault('BE68539007547034'), undefined],
  ['IBAN, national check digits of 0 written 97', ibanNationalFault('BE54539007543697'), undefined],
  ['IBAN, national check digits wrong', ibanNationalFault('BE41091811735141'), 'wrong national check digits'],
  [
    'IBAN of Spain, national check digits wrong',
    ibanNationalFault('ES5621000418440200051332'),
    'wrong national check digits',
  ],
  ['IBAN, wrong: nothing more to say', ibanNationalFault('BE00'), undefined],

  ['CLABE of no bank', clabeFault('000000000000000000'), 'no bank has these first three digits'],
  ['CLABE of no place', clabeFault('002539016003269411'), 'no place has digits four to six'],
  ['CLABE, mistyped', clabeFault('002010077777777772'), digits],

  ['RFC, right check character', rfcCheckFault('GODE 561231 GR8'), undefined],
  ['RFC, check character 0', rfcCheckFault('AAA390128530'), undefined],
  ['RFC, wrong check character', rfcCheckFault('VACE-460910-SX6'), digits],
  ['RFC with a wrong check character', rfcFault('VACE-460910-SX6'), undefined],
  ['RFC of a company', rfcCheckFault('mab9307148t4'), undefined],
  ['RFC, ñ', rfcFault('bañ930616r66'), undefined],
  ['RFC of 31 April', rfcFault('MAB9304318T4'), 'the six digits are no date'],
  ['RFC of 29 February', rfcFault('MAB9602298T4'), undefined],

  ['UEN of a business', uenFault('00192200M', 2026), undefined],
  ['UEN of a company', uenFault('197401143C', 2026), undefined],
  ['UEN of another entity', uenFault('S16FC0121D', 2026), undefined],
  ['UEN of a later year', uenFault('202001234X', 2019), 'founded in a later year'],

  // The examples of Inland Revenue's specification.
  ['NZ account, A', nzAccountFault('01-902-0068389-00'), undefined],
  ['NZ account, D', nzAccountFault('08-6523-1954512-001'), undefined],
  ['NZ account, G', nzAccountFault('26-2600-0320871-032'), undefined],
  ['NZ account, G mistyped', nzAccountFault('26-2600-0320872-032'), digits],
  ['NZ account, no parts', nzAccountFault('0109020068389000'), undefined],
  ['NZ account in full', nzAccountFault('010902000683890000'), undefined],
  ['NZ account of no bank', nzAccountFault('07-0902-0068389-00'), 'no bank has these first two digits'],
  ['NZ account of no branch', nzAccountFault('01-9999-0100197-00'), 'the bank has no such branch'],
])('%s', (_, found, fault) => {
  expect(found).toBe(fault);
});
