import { nzAccountFault } from '../../../../engine/domain/beneficiaries/identifiers/account-numbers.js';
import {
  abaFault,
  bicFault,
  bicPartyFault,
  clabeFault,
  ifscDirectoryFault,
  ifscFault,
} from '../../../../engine/domain/beneficiaries/identifiers/bank-codes.js';
import { ibanFault, ibanNationalFault } from '../../../../engine/domain/beneficiaries/identifiers/iban.js';
import {
  ciFault,
  cnpjFault,
  cpfFault,
  cuitFault,
  dniFault,
  nitFault,
  rfcCheckFault,
  rfcFault,
  rucFault,
  rutFault,
} from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-americas.js';
import {
  abnFault,
  acnFault,
  jpCorporateFault,
  uenFault,
  usccFault,
} from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-asia-pacific.js';
import { ukModulusFault } from '../../../../engine/domain/beneficiaries/identifiers/uk-modulus.js';

type Check = (value: string) => string | undefined;

interface Kind {
  readonly fault: Check;
  readonly warning?: Check;
}

/** The kinds of the published lists, by the names they have there, and what judges them here. */
export const KINDS: Readonly<Record<string, Kind>> = {
  aba_routing: { fault: abaFault },
  ar_cuit: { fault: cuitFault },
  ar_dni: { fault: (value) => dniFault(value, 'AR') },
  au_abn: { fault: abnFault },
  au_acn: { fault: acnFault },
  bic: { fault: (value) => bicFault(value), warning: bicPartyFault },
  br_cnpj: { fault: cnpjFault },
  br_cpf: { fault: cpfFault },
  cl_rut: { fault: (value) => rutFault(value, 'CL') },
  cn_uscc: { fault: usccFault },
  co_nit: { fault: nitFault },
  ec_ci: { fault: (value) => ciFault(value, 'EC') },
  ec_ruc: { fault: (value) => rucFault(value, 'EC') },
  iban: { fault: ibanFault, warning: ibanNationalFault },
  iban_national_check: { fault: ibanFault, warning: ibanNationalFault },
  ifsc: { fault: ifscFault, warning: ifscDirectoryFault },
  jp_cn: { fault: jpCorporateFault },
  mx_clabe: { fault: clabeFault },
  mx_rfc: { fault: rfcFault, warning: rfcCheckFault },
  nz_bank_account: { fault: nzAccountFault },
  pe_dni: { fault: (value) => dniFault(value, 'PE') },
  pe_ruc: { fault: (value) => rucFault(value, 'PE') },
  py_ruc: { fault: (value) => rucFault(value, 'PY') },
  sg_uen: { fault: (value) => uenFault(value, 2026) },
  uk_modulus: { fault: (value) => ukModulusFault(value.slice(0, 6), value.slice(7)) },
  uy_rut: { fault: (value) => rutFault(value, 'UY') },
};
