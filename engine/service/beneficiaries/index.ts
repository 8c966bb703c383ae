export { accountHash } from './beneficiary-version.js';
export {
  changeBeneficiary,
  createBeneficiary,
  disableBeneficiary,
  enableBeneficiary,
  listBeneficiaries,
  readBeneficiary,
} from './client-beneficiaries.js';
export { conflictFaults, resolveBeneficiary } from './resolve-beneficiary.js';
