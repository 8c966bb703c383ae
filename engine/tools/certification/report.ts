/** The report of a certification: JSON for programs, and a text that names its SHA-256, for the signatures of both sides. */

import { createHash } from 'node:crypto';
import { type MessageView, redact } from 'node-quickfix-ts';
import type { StepResult } from './conductor.js';
import { SECRETS, type WireMessage } from './wire.js';

/** What is known before the first step. */
export interface ReportHead {
  readonly compId: string;
  /** The firm, where the operator has named it. */
  readonly desk?: string;
  readonly operator: string;
  /** Of the package. */
  readonly version: string;
  readonly script: { readonly version: string; readonly sha256: string };
  readonly dictionary: { readonly file: string; readonly sha256: string };
  readonly transport: 'TLS' | 'plain TCP';
  readonly tokenOnRequest: 'required' | 'session';
  readonly waitSeconds: number;
  readonly firstSeconds: number;
  readonly startedAt: string;
}

export type Outcome = 'passed' | 'failed' | 'incomplete';

export interface Report {
  readonly result: Outcome;
  /** The JSON file, whole. */
  readonly json: string;
  /** The text file, whole. */
  readonly text: string;
}

/** Messages of one step in the report; the others are counted. */
const MESSAGES_MAX = 200;

/** `interrupted`: an operator has ended the run. */
export function writeReport(
  head: ReportHead,
  steps: readonly StepResult[],
  endedAt: string,
  interrupted: boolean,
  jsonName: string,
): Report {
  const passed = steps.every(({ result }) => result === 'passed');
  const result = interrupted ? 'incomplete' : passed ? 'passed' : 'failed';
  const body = {
    report: 'ratewire certification',
    form: 1,
    result,
    comp_id: head.compId,
    desk: head.desk ?? null,
    operator: head.operator,
    ratewire: head.version,
    node: process.version,
    script: head.script,
    dictionary: head.dictionary,
    transport: head.transport,
    token_on_request: head.tokenOnRequest,
    wait_seconds: head.waitSeconds,
    first_seconds: head.firstSeconds,
    started_at: head.startedAt,
    ended_at: endedAt,
    steps: steps.map(stepJson),
  };
  const json = `${JSON.stringify(body, undefined, 2)}\n`;
  const sha256 = createHash('sha256').update(json).digest('hex');
  return { result, json, text: textOf(head, steps, { result, endedAt, sha256, jsonName }) };
}

function stepJson({ step, name, title, result, checks, messages }: StepResult): object {
  return {
    step,
    name,
    title,
    result,
    checks: checks.map(({ reason, ...check }) => ({ ...check, reason: reason ?? null })),
    messages: messages.slice(0, MESSAGES_MAX).map(messageJson),
    messages_left_out: Math.max(0, messages.length - MESSAGES_MAX),
  };
}

function messageJson({ from, atMs, connection, withheld, view }: WireMessage): object {
  const base = { at: new Date(atMs).toISOString(), from, connection };
  return { ...base, ...(withheld && { withheld }), message: withoutSecrets(view) };
}

/** `|` for SOH; other control characters as `?`. Nor is a secret shown that a text quotes. */
const withoutSecrets = (view: MessageView): string => redact(view.toString(SECRETS), SECRETS).replace(/\p{Cc}/gu, '?');

interface End {
  readonly result: Outcome;
  readonly endedAt: string;
  readonly sha256: string;
  readonly jsonName: string;
}

const WORDS: Readonly<Record<Outcome, string>> = {
  passed: 'PASSED: every step has passed',
  failed: 'NOT PASSED',
  incomplete: 'INCOMPLETE: ended by the operator before the last step',
};

function textOf(head: ReportHead, steps: readonly StepResult[], { result, endedAt, sha256, jsonName }: End): string {
  const rows: [string, string][] = [
    ['Result', WORDS[result]],
    ['CompID of the desk', head.compId],
    ...(head.desk === undefined ? [] : ([['Desk', head.desk]] as [string, string][])),
    ['Operator', head.operator],
    ['ratewire', `${head.version}, Node ${process.version}`],
    ['Script', `version ${head.script.version}, SHA-256 ${head.script.sha256}`],
    ['Dictionary', `${head.dictionary.file}, SHA-256 ${head.dictionary.sha256}`],
    [
      'Transport',
      `${head.transport}, AuthToken(20001) ${head.tokenOnRequest === 'required' ? 'on each request' : 'of the session'}`,
    ],
    ['Bounds', `${head.firstSeconds} s for the first Logon(A), ${head.waitSeconds} s for each later message`],
    ['Begun', head.startedAt],
    ['Ended', endedAt],
  ];
  const table = rows.map(([name, value]) => `${name.padEnd(20)}${value}`).join('\n');
  return `Certification of a FIX desk with ratewire

${table}

${steps.map(stepText).join('\n')}
The messages of each step are in ${jsonName}.
SHA-256 of that file: ${sha256}

By signing, both sides confirm the result above and the file with this SHA-256.

For the desk
  Name      ______________________________
  Date      ______________________________
  Signature ______________________________

For the operator
  Name      ______________________________
  Date      ______________________________
  Signature ______________________________
`;
}

/** One step, also as it is printed while the script is played. */
export function stepText({ step, title, result, checks }: StepResult): string {
  const lines = checks.map(({ check, text, result, reason }) => {
    const why = reason === undefined ? '' : `\n${' '.repeat(18)}${reason}`;
    return `  ${check.padEnd(4)}${result.padEnd(11)} ${text}${why}`;
  });
  return `${String(step).padStart(2)}  ${title}: ${result}\n${lines.join('\n')}\n`;
}
