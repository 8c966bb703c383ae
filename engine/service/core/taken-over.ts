import { type Refusal, refuse } from '../../domain/refusal.js';

/** Another engine has the FIX session since: what it asked here is done there, or not at all. Not remembered. */
export const takenOver = (): Refusal => refuse('WRONG_STATE', 'Another engine has the session');
