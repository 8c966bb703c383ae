/** TargetCompID(56) of every desk: our side of their sessions. */
export const ENGINE_COMP_ID = 'FXENGINE';
