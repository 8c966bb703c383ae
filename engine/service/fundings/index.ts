export { createFunding, listFundings, readFunding } from './client-fundings.js';
export { autoCompleteFunding } from './move-funding.js';
export {
  cancelFunding,
  completeFunding,
  findFundings,
  rejectFunding,
  reverseFunding,
  showFunding,
} from './operator-fundings.js';
