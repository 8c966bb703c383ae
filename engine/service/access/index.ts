export {
  CLIENT_NAME,
  changeClient,
  createClient,
  disableClient,
  listClients,
  refuseSubClient,
  setDisabled,
  setScheduledLimit,
  showClient,
} from './clients.js';
export { allowCompId, assignCompId, changeCompId, listCompIds, removeCompId } from './comp-ids.js';
export { finishKeyEvents } from './key-events.js';
export { allowKey, issueKey, listKeys, retirePreviousSecret, revokeKey, rotateKey, setKeyRights } from './keys.js';
export { listTokens, revokeClientTokens } from './operator-tokens.js';
export { provisionBenchmarkClients } from './provision-benchmark-clients.js';
export { authenticate, readToken, renewToken, revokeToken, revokeTokens } from './tokens.js';
