import { abaFault } from '../../../engine/domain/checks/aba.js';
import { abnFault, acnFault } from '../../../engine/domain/checks/abn.js';
import { bicFault, bicPartyFault } from '../../../engine/domain/checks/bic.js';
import { ciFault } from '../../../engine/domain/checks/ci.js';
import { clabeFault } from '../../../engine/domain/checks/clabe.js';
import { cnpjFault } from '../../../engine/domain/checks/cnpj.js';
import { cpfFault } from '../../../engine/domain/checks/cpf.js';
import { cuitFault } from '../../../engine/domain/checks/cuit.js';
import { dniFault } from '../../../engine/domain/checks/dni.js';
import { ibanFault, ibanNationalFault } from '../../../engine/domain/checks/iban.js';
import { ifscDirectoryFault, ifscFault } from '../../../engine/domain/checks/ifsc.js';
import { jpCorporateFault } from '../../../engine/domain/checks/jp-corporate.js';
import { nitFault } from '../../../engine/domain/checks/nit.js';
import { nzAccountFault } from '../../../engine/domain/checks/nz-account.js';
import { rfcCheckFault, rfcFault } from '../../../engine/domain/checks/rfc.js';
import { rucFault } from '../../../engine/domain/checks/ruc.js';
import { rutFault } from '../../../engine/domain/checks/rut.js';
import { uenFault } from '../../../engine/domain/checks/uen.js';
import { ukModulusFault } from '../../../engine/domain/checks/uk-modulus.js';
import { usccFault } from '../../../engine/domain/checks/uscc.js';

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
