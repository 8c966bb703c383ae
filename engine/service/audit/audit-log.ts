import { z } from 'zod';
import { AuditChain } from '../../store/audit/audit-chain.js';
import type { ChangeAsked, ChangeEnded } from '../../store/audit/audit-log.js';
import { boundedText, patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };
const TEXT = boundedText(200).min(1).optional();

/** A change by an operator, combined from its two entries in the log. */
export interface Change extends ChangeAsked, ChangeEnded {
  readonly id: string;
  /** Epoch ms of the store's clock. */
  readonly atMs: number;
}

/** The second entry is missing: the change may have been made. */
const UNKNOWN: ChangeEnded = { outcome: 'unknown', after: undefined, made: undefined };

/** Entries read at once. */
const PAGE = 500;

/** The changes by operators, newest first. Subject and operator match as substrings, case-insensitively. */
export const readAudit = defineOpenOperation({
  input: z.object({
    subject: TEXT,
    operator: TEXT,
    sinceMs: z.number().min(0).default(0),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute({ store }, _operator, { subject = '', operator = '', sinceMs, limit }) {
    const changes: Change[] = [];
    /** Second entries whose first entry has not been read yet. */
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

/**
 * Verifies the chain of the audit log from its first entry, and names the first removed, changed or re-chained one. With a head known from outside the store it also detects a truncated end whose head in the
 * store was set back.
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
    // Entries added during the verification are left out.
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
    if (!broken && entries === 0 && (await store.clients.list({ limit: 1 })).length > 0)
      broken = found('the log', 'the store has clients, and the audit log is empty or missing: it was removed');
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
    return { entries, number: head.number, mac: head.mac, lastEntry: head.entry, broken };
  },
});
