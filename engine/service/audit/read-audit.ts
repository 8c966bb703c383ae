import { z } from 'zod';
import type { ChangeAsked, ChangeEnded } from '../../store/audit/audit-log.js';
import { boundedText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };
const TEXT = boundedText(200).min(1).optional();

/** What an operator changed, as the two entries of the log tell together. */
export interface Change extends ChangeAsked, ChangeEnded {
  readonly id: string;
  /** Epoch ms of the store's clock. */
  readonly atMs: number;
}

/** Nobody has written down what came of it: the change may have happened. */
const UNKNOWN: ChangeEnded = { outcome: 'unknown', after: undefined, made: undefined };

/** Entries read at once. */
const PAGE = 500;

/** What operators have changed, newest first; of a subject or an operator whose text contains the one given, whatever its case. */
export const readAudit = defineOpenOperation({
  input: z.object({
    subject: TEXT,
    operator: TEXT,
    sinceMs: z.number().min(0).default(0),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute({ store }, _operator, { subject = '', operator = '', sinceMs, limit }) {
    const changes: Change[] = [];
    /** Those whose first entry has not been reached yet. */
    const ended = new Map<string, ChangeEnded>();
    for (let before: string | undefined; ; ) {
      const page = await store.auditLog.page(before, sinceMs, PAGE);
      for (const found of page) {
        if (found.kind === 'chain') continue;
        if (found.kind === 'ended') {
          const { kind: _ended, of, id: _own, ...end } = found;
          ended.set(of, end);
          continue;
        }
        const { kind: _asked, ...entry } = found;
        const end = ended.get(entry.id) ?? UNKNOWN;
        ended.delete(entry.id);
        if (!contains(entry.subject, subject) || !contains(entry.who, operator)) continue;
        changes.push({ ...entry, ...end });
        if (changes.length === limit) return { changes };
      }
      if (page.length < PAGE) return { changes };
      before = page.at(-1)!.id;
    }
  },
});

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
