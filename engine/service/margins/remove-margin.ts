import { refuse } from '../../domain/refusal.js';
import { defineOpenOperation } from '../core/operation.js';
import { MARGIN_SCOPE, marginAudited } from './set-margin.js';

/** Takes a rule away; what no rule covers any more is no longer offered. Refuses with UNKNOWN_MARGIN. */
export const removeMargin = defineOpenOperation({
  input: MARGIN_SCOPE,
  audited: marginAudited,
  async execute({ store }, _operator, scope) {
    return (await store.margins.remove(scope)) ? scope : refuse('UNKNOWN_MARGIN');
  },
});
