import { PAIRS, type Pair } from '../../domain/pair.js';
import { FeedSettingError } from './port.js';
import { pairOfSymbol } from './symbol-bytes.js';

/** `EURUSD+USDJPY`: the pairs that a setting names. Throws FeedSettingError. */
export function symbolsOf(text: string): readonly Pair[] {
  return text.split(/[ +;]/).map((symbol) => {
    const pair = pairOfSymbol(symbol);
    if (pair < 0)
      throw new FeedSettingError(
        `symbols=... names '${symbol.slice(0, 20)}', which we do not offer; write symbols=EURUSD+USDJPY`,
      );
    return PAIRS[pair];
  });
}
