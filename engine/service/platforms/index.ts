export { listSubClientMargins, removeSubClientMargin, setSubClientMargin } from './sub-client-margins.js';
export {
  changeSubClient,
  createSubClient,
  listSubClients,
  readSubClient,
} from './sub-clients.js';
