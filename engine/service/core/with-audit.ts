/** Writes a change by an operator, or what a client changes of its own, to the audit log. */
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import type { Caller } from './caller.js';
import type { Answer, Audited } from './operation.js';
import { storeAnswer } from './operation.js';
import type { Services } from './services.js';

/** The operator's name; tests and programs have none. */
export const operatorOf = ({ operator = 'unknown' }: Services): string => operator;

/** The client that makes a change, and its key; of a platform that acts for a sub-client, the platform. */
export const changedBy = ({ clientId, platformId = clientId, keyId }: Caller): string =>
  `client ${platformId}, key ${keyId}`;

/**
 * Makes a change between two entries of the audit log: without the first entry the change is not made. Refuses with what the state or the
 * change refuses with; throws StoreUnavailable when the first entry cannot be written.
 */
export async function withAudit<Input, Output>(
  services: Services,
  name: string,
  { subject, state, made }: Audited<Input>,
  input: Input,
  change: () => Answer<Output>,
  who = operatorOf(services),
): Promise<Output | Refusal> {
  const { auditLog } = services.store;
  const before = await state(services, input);
  if (isRefusal(before)) return before;
  const id = await auditLog.begin({
    who,
    operation: name,
    subject: ofWhom(subject(input), before),
    input,
    before,
  });
  const answer = await storeAnswer(services, change);
  // The change is made or refused by now. A missing second entry does not undo it: the log then shows its outcome as unknown.
  const ended = await storeAnswer(services, async () => {
    const after = await state(services, input);
    await auditLog.end(id, {
      outcome: isRefusal(answer) ? answer.refusal : 'done',
      after: isRefusal(after) ? undefined : after,
      made: made && (answer as Readonly<Record<string, string>>)[made],
    });
  });
  if (isRefusal(ended))
    services.log.error({ operation: name, entry: id }, 'the audit log does not say what came of a change');
  return answer;
}

/** A payment's id does not contain its client, and audit searches are by client. */
function ofWhom(subject: string, before: { readonly clientId?: unknown } | undefined): string {
  const isSaid = before?.clientId === undefined || subject.includes('client ');
  return isSaid ? subject : `${subject} of client ${before.clientId}`;
}
