/**
 * Banks and places in a CLABE. Sources: center-key/clabe-validator, src/clabe.ts, commit 0f69b7a055fa3eb1e36c56e9fd89624c95c1912a (MIT);
 * cuenca-mx/clabe-python, clabe/banks.py, commit 16b23d57f5923b96844171c5d819779d1bed5170 (MIT). Both sum up the lists of Banco de
 * México and of the association of banks. Codes of banks that closed stay: their accounts were taken over under the same numbers.
 */

/** First three digits. */
export const CLABE_BANKS = codes(`
  1 2 6 9 12 14 19 21 22 30 32 36 37 42 44 58 59 60 62 72 102 103 106 108 110 112 113 116 124 126-141 143 145 147 148 150-152 154-160
  166-168 600-602 604-608 610 611 613-624 626-634 636-638 640 642 646-649 651-653 655 656 659 661 670 674 677 679 680 683-686 688 689
  699 703 706 710 721-723 728 732 734 812 814 821 846 901-903`);

/** Digits four to six: the place (plaza) of the branch that opened the account. */
export const CLABE_PLACES = codes(`
  10-17 20-28 40-47 50-57 60-81 90-98 100-138 140 150-173 180 190-202 210-249 260-282 290-314 320-416 420-463 470-537 540-552 560-577
  580-601 610-640 650-676 680-686 690-694 700-722 730-750 760-783 790-807 810-827 830-856 858-906 910-920 930-962 969 975`);

function codes(text: string): ReadonlySet<number> {
  const all = new Set<number>();
  for (const part of text.trim().split(/\s+/)) {
    const [first, last] = part.split('-').map(Number);
    for (let code = first!; code <= (last ?? first!); code += 1) all.add(code);
  }
  return all;
}
