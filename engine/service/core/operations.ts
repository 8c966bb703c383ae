import { allowCompId } from '../access/allow-comp-id.js';
import { allowKey } from '../access/allow-key.js';
import { assignCompId } from '../access/assign-comp-id.js';
import { authenticate } from '../access/authenticate.js';
import { changeClient } from '../access/change-client.js';
import { createClient } from '../access/create-client.js';
import { disableClient } from '../access/disable-client.js';
import { endOldSecret } from '../access/end-old-secret.js';
import { issueKey } from '../access/issue-key.js';
import { listClients } from '../access/list-clients.js';
import { listCompIds } from '../access/list-comp-ids.js';
import { listKeys } from '../access/list-keys.js';
import { listTokens } from '../access/list-tokens.js';
import { provisionBenchmarkClients } from '../access/provision-benchmark-clients.js';
import { readToken } from '../access/read-token.js';
import { removeCompId } from '../access/remove-comp-id.js';
import { renewToken } from '../access/renew-token.js';
import { revokeClientTokens } from '../access/revoke-client-tokens.js';
import { revokeKey } from '../access/revoke-key.js';
import { revokeToken } from '../access/revoke-token.js';
import { revokeTokens } from '../access/revoke-tokens.js';
import { rotateKey } from '../access/rotate-key.js';
import { setKeyRights } from '../access/set-key-rights.js';
import { setScheduledLimit } from '../access/set-scheduled-limit.js';
import { showClient } from '../access/show-client.js';
import { adjustAccount, repayReceivable } from '../accounts/adjust-account.js';
import { changeAccount } from '../accounts/change-account.js';
import { creditAccount } from '../accounts/credit-account.js';
import { listAccountEntries, listStatement } from '../accounts/list-account-entries.js';
import { listAccounts } from '../accounts/list-accounts.js';
import { listBalances } from '../accounts/list-balances.js';
import { listClientAccounts } from '../accounts/list-client-accounts.js';
import { listCurrencyBalances } from '../accounts/list-currency-balances.js';
import { listReceivables } from '../accounts/list-receivables.js';
import { openAccount } from '../accounts/open-account.js';
import { readBalance } from '../accounts/read-balance.js';
import { archiveJournal } from '../audit/archive-journal.js';
import { pageJournal } from '../audit/page-journal.js';
import { readAudit } from '../audit/read-audit.js';
import { readJournal } from '../audit/read-journal.js';
import { reconcile } from '../audit/reconcile.js';
import { listArchiveHeads } from '../audit/verify-archive.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { bookFxByAccount } from '../bookings/book-fx-by-account.js';
import { bookFxByCurrency } from '../bookings/book-fx-by-currency.js';
import { cancelBooking } from '../bookings/cancel-booking.js';
import { listBookings } from '../bookings/list-bookings.js';
import { readBooking } from '../bookings/read-booking.js';
import { readOrder } from '../bookings/read-order.js';
import { showBooking } from '../bookings/show-booking.js';
import { createFunding } from '../fundings/create-funding.js';
import { cancelFunding, completeFunding, rejectFunding, reverseFunding } from '../fundings/decide-funding.js';
import { findFundings } from '../fundings/find-fundings.js';
import { listFundings } from '../fundings/list-fundings.js';
import { readFunding } from '../fundings/read-funding.js';
import { showFunding } from '../fundings/show-funding.js';
import { listHolds } from '../holds/list-holds.js';
import { lockRate } from '../holds/lock-rate.js';
import { readHold } from '../holds/read-hold.js';
import { releaseHold } from '../holds/release-hold.js';
import { revokeHold } from '../holds/revoke-hold.js';
import { explainMargin } from '../margins/explain-margin.js';
import { listMargins } from '../margins/list-margins.js';
import { removeMargin } from '../margins/remove-margin.js';
import { setMargin } from '../margins/set-margin.js';
import { answerInformation } from '../payments/answer-information.js';
import { cancelPayment } from '../payments/cancel-payment.js';
import { createPayment } from '../payments/create-payment.js';
import { createPayout } from '../payments/create-payout.js';
import {
  approvePayment,
  confirmPaid,
  giveUpPayment,
  rejectPayment,
  requestInformation,
  retryPayment,
  returnPayment,
} from '../payments/decide-payment.js';
import { findPayments } from '../payments/find-payments.js';
import { listFees } from '../payments/list-fees.js';
import { listPayments } from '../payments/list-payments.js';
import { readPayment, readPaymentByReference } from '../payments/read-payment.js';
import { removeFee } from '../payments/remove-fee.js';
import { requiredDetails } from '../payments/required-details.js';
import { setFee } from '../payments/set-fee.js';
import { showPayment } from '../payments/show-payment.js';
import { validatePayment, validatePayout } from '../payments/validate-payment.js';
import { getLockableRate } from '../rates/get-lockable-rate.js';
import { getRate } from '../rates/get-rate.js';
import { haltPair, resumePair } from '../rates/halt-pair.js';
import { listPairStates } from '../rates/list-pair-states.js';
import { listPairs } from '../rates/list-pairs.js';
import { marketStatus } from '../rates/market-status.js';
import { readCalendar } from '../rates/read-calendar.js';
import { forecastStore } from '../schedule/forecast-store.js';
import { advanceClock, readClock } from '../schedule/store-clock.js';
import { changePorts, readPorts } from '../schedule/store-ports.js';
import { listSessions } from '../sessions/list-sessions.js';
import { logOutSession } from '../sessions/log-out-session.js';
import { resetSession } from '../sessions/reset-session.js';

/** What a client can ask for, by FIX or REST. */
export const OPERATIONS = {
  authenticate,
  revokeTokens,
  renewToken,
  revokeToken,
  readToken,
  getRate,
  listPairs,
  marketStatus,
  listAccounts,
  listBalances,
  listCurrencyBalances,
  readBalance,
  listAccountEntries,
  getLockableRate,
  lockRate,
  readHold,
  releaseHold,
  bookFxByCurrency,
  bookFxByAccount,
  readBooking,
  listBookings,
  readOrder,
  createFunding,
  readFunding,
  listFundings,
  createPayment,
  createPayout,
  validatePayment,
  validatePayout,
  requiredDetails,
  readPayment,
  readPaymentByReference,
  cancelPayment,
  answerInformation,
  listPayments,
};

/** What the operator can ask for, on the machine itself. */
export const OPERATOR_OPERATIONS = {
  createClient,
  listClients,
  showClient,
  changeClient,
  disableClient,
  listKeys,
  issueKey,
  rotateKey,
  endOldSecret,
  revokeKey,
  setKeyRights,
  allowKey,
  listCompIds,
  assignCompId,
  allowCompId,
  removeCompId,
  listTokens,
  revokeClientTokens,
  listHolds,
  revokeHold,
  setMargin,
  listMargins,
  explainMargin,
  removeMargin,
  setFee,
  listFees,
  removeFee,
  provisionBenchmarkClients,
  openAccount,
  changeAccount,
  listClientAccounts,
  creditAccount,
  adjustAccount,
  repayReceivable,
  listReceivables,
  listStatement,
  setScheduledLimit,
  cancelBooking,
  showBooking,
  findFundings,
  showFunding,
  completeFunding,
  rejectFunding,
  cancelFunding,
  reverseFunding,
  findPayments,
  showPayment,
  approvePayment,
  rejectPayment,
  requestInformation,
  confirmPaid,
  returnPayment,
  retryPayment,
  giveUpPayment,
  readJournal,
  readAudit,
  pageJournal,
  archiveJournal,
  listArchiveHeads,
  verifyAudit,
  listSessions,
  logOutSession,
  resetSession,
  listPairStates,
  haltPair,
  resumePair,
  readCalendar,
  reconcile,
  forecastStore,
  readPorts,
  changePorts,
  readClock,
  advanceClock,
};

const ALL = { ...OPERATIONS, ...OPERATOR_OPERATIONS };

export type OperationName = keyof typeof OPERATIONS;
export type OperatorOperationName = keyof typeof OPERATOR_OPERATIONS;
export type AnyOperationName = keyof typeof ALL;

/** What an operation answers when it does not refuse. */
export type OutputOf<Name extends AnyOperationName> = Exclude<
  Awaited<ReturnType<(typeof ALL)[Name]['execute']>>,
  { readonly refusal: unknown }
>;

export const operationNamed = (name: AnyOperationName) => ALL[name];
