/** Of a market price of seven digits with a margin of 0.25 %, of which no platform has a part: for records that a test makes by hand. */
export const PROOF = 'm7 e1 t2v8cz 2s   41xg';
