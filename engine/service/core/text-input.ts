/** Texts of an operation's input: none is without a maximum, and none has characters that show as something else. */
import { z } from 'zod';
import { characterFault, ID_MAX, isLongerThan } from '../../domain/text.js';

/**
 * A text of at most `max` characters. `is` says what it has to be. The length is judged before anything else looks at the text.
 */
export const boundedText = (max: number, is = `at most ${max} characters`, hasLines = false) =>
  z
    .string({ error: is })
    .check((context) => {
      const { value } = context;
      // Without `continue`: no later check of this text runs, and rules over several fields do. `false` would skip those too.
      const issue = { origin: 'string', input: value } as const;
      if (isLongerThan(value, max)) {
        context.issues.push({ ...issue, code: 'too_big', maximum: max, inclusive: true, message: is });
        return;
      }
      const fault = characterFault(value, hasLines);
      if (fault) context.issues.push({ ...issue, code: 'invalid_format', format: 'text', message: fault });
    })
    .meta({ maxLength: max });

/** A text of one form, which says how long it is at most: `max` is its maxLength in the document. */
export const patternText = (pattern: RegExp, max: number, is: string) =>
  z
    .string({ error: is })
    .check(onlyHere(z.regex(pattern, { error: is })))
    .meta({ maxLength: max });

/** A fault that the check finds skips the later checks of this text, and none over several fields, as `abort` would. */
function onlyHere(check: z.core.$ZodCheck<string>): z.core.$ZodCheck<string> {
  const { _zod: inner } = check;
  const judge = inner.check;
  inner.check = (payload) => {
    const before = payload.issues.length;
    const judged = judge(payload);
    for (const issue of payload.issues.slice(before)) delete (issue as { continue?: boolean }).continue;
    return judged;
  };
  return check;
}

/** A text that is only looked up or opened. A longer one than was ever given is cut, and stays unknown. */
export const knownText = (max: number, is?: string) =>
  z
    .string(is === undefined ? {} : { error: is })
    .overwrite((text) => text.slice(0, max + 1))
    .meta({ maxLength: max });

/** An id of ours, or a client's own. */
export const ID = knownText(ID_MAX);
