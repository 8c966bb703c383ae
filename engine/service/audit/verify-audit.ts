import { z } from 'zod';
import { AuditChain } from '../../store/audit/audit-chain.js';
import { patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

const PAGE = 500;

/**
 * The chain of the audit log from its first entry: a removed, changed or rechained one is named, the first place alone. With a head that is
 * known from outside the store it is checked too whether the end was cut off together with what the store keeps of it.
 */
export const verifyAudit = defineOpenOperation({
  input: z.object({
    known: patternText(
      /^[1-9]\d{0,14}:[0-9a-f]{64}$/,
      80,
      '<number>:<HMAC>, as an earlier run or a line outside the store has them',
    ).optional(),
  }),
  async execute({ store, progress }, _operator, { known }) {
    const { auditLog, subKey } = store;
    const standing = await auditLog.standing();
    const chain = new AuditChain(subKey('audit'));
    const [number, mac] = known?.split(':') ?? [];
    const found = (place: string, why: string) => ({ place, why });
    let entries = 0;
    let broken: { readonly place: string; readonly why: string } | undefined;
    let isKnown = known === undefined;
    // Entries that are added meanwhile are not looked at.
    for (let after = '-'; standing.last !== '' && !broken; ) {
      const page = await auditLog.rawPage(after, standing.last, PAGE);
      for (const entry of page) {
        const why = chain.take(entry);
        if (why !== undefined) {
          broken = found(`entry ${entry[0]}`, why);
          break;
        }
        entries++;
        if (chain.head.number === Number(number) && chain.head.mac === mac) isKnown = true;
      }
      progress?.(`audit log: ${entries} entries`, entries / (standing.entries || 1));
      if (page.length < PAGE) break;
      after = `(${page.at(-1)![0]}`;
    }
    const { head } = chain;
    if (!broken && (head.number !== standing.head.number || head.mac !== standing.head.mac))
      broken = found(
        'the end',
        `the chain ends with number ${head.number}, and the store knows of ${standing.head.number}: entries were removed, or the chain was begun anew`,
      );
    if (!broken && standing.added !== standing.entries)
      broken = found(
        'the log',
        `${standing.added} entries were added and ${standing.entries} are there: entries were removed`,
      );
    if (!broken && !isKnown)
      broken = found(
        `number ${number}`,
        'the chain has no such entry: its end was cut off, or the chain was begun anew',
      );
    return { entries, earlier: chain.earlier, number: head.number, mac: head.mac, lastEntry: head.entry, broken };
  },
});
