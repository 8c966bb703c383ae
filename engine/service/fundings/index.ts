export { createFunding, FUNDINGS, listFundings, NO_FUNDING, readFunding } from './client-fundings.js';
export { autoCompleteFunding, moveFunding } from './move-funding.js';
export {
  cancelFunding,
  completeFunding,
  findFundings,
  rejectFunding,
  reverseFunding,
  showFunding,
} from './operator-fundings.js';
