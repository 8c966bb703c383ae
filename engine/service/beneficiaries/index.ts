import {
  changeBeneficiary,
  createBeneficiary,
  disableBeneficiary,
  enableBeneficiary,
  listBeneficiaries,
  readBeneficiary,
} from './client-beneficiaries.js';
import { findBeneficiaries, showBeneficiary } from './operator-beneficiaries.js';
import { verifyPayee } from './verify-payee.js';

export { accountHash } from './beneficiary-version.js';
export { conflictFaults, resolveBeneficiary } from './resolve-beneficiary.js';
export { openVerification } from './verification-token.js';

/** The operations of a client. */
export const BENEFICIARY_OPERATIONS = {
  createBeneficiary,
  readBeneficiary,
  listBeneficiaries,
  changeBeneficiary,
  disableBeneficiary,
  enableBeneficiary,
  verifyPayee,
};

export const BENEFICIARY_OPERATOR_OPERATIONS = { findBeneficiaries, showBeneficiary };
