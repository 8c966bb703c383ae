/** The script of the certification: its steps in order, and its page, fix-config/certification.md, which `npm run docs` writes. */
import { createHash } from 'node:crypto';
import { type Step, WIRE_CHECK } from './conductor.js';
import { DISCONNECT, HOLD, ORDER, QUOTE, REJECT, SUBSCRIBE } from './dealing-steps.js';
import { GAP, HEARTBEAT, LOGON, LOGOUT, RENEWAL, RESEND } from './session-steps.js';

export const STEPS: readonly Step[] = [
  LOGON,
  HEARTBEAT,
  GAP,
  RESEND,
  SUBSCRIBE,
  QUOTE,
  HOLD,
  ORDER,
  REJECT,
  DISCONNECT,
  RENEWAL,
  LOGOUT,
];

/** Raised when a step or a check changes. */
export const SCRIPT_VERSION = '1.0';

/** SHA-256 of the script's texts: two reports with the same hash were judged by the same script. */
export function scriptHash(): string {
  const texts = STEPS.map(({ run: _, ...texts }) => texts);
  return createHash('sha256')
    .update(JSON.stringify([SCRIPT_VERSION, texts]))
    .digest('hex');
}

/** The page for people who build a desk. */
export function scriptPage(): string {
  const rows = STEPS.map(({ title, begins }, i) => `| ${i + 1} | [${title}](#${i + 1}-${anchor(title)}) | ${begins} |`);
  return `${HEAD}\n| step | | begins for the desk when |\n|---|---|---|\n${rows.join('\n')}\n${TAIL}${STEPS.map(chapter).join('')}`;
}

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function chapter({ title, begins, engine, desk, checks }: Step, i: number): string {
  const rows = [...Object.values(checks), WIRE_CHECK].map((text, at) => `| ${i + 1}${'abcdefghij'[at]} | ${text} |`);
  return `
## ${i + 1} ${title}

- Begins for the desk when ${begins}.
- The engine: ${engine}
- The desk: ${desk}

| check | |
|---|---|
${rows.join('\n')}
`;
}

const HEAD = `<!-- Written by \`npm run docs\` from engine/tools/certification: change it there. -->

# Certification of a desk

Version ${SCRIPT_VERSION} of the script that \`ratewire certify\` plays with a desk before the desk may deal. The operator starts it, and hands out the
address, the CompIDs and the credentials that it prints:

\`\`\`console
npx ratewire certify ACME1
\`\`\`

It starts an engine of its own, on a port, a store and demo rates that exist for this run alone, and removes them at the end. No client is on it.
Between the desk and that engine it reads every message, keeps some back, and cuts the line once, as the steps say.

A desk passes it unattended. The order is fixed, and each step begins with something that the desk sees on the line, so its application
needs one rule for each step:
`;

const TAIL = `
Steps 2 to 4 are the work of the FIX engine: the application does nothing. QuickFIX passes them with its standard settings, and
step 10 too with \`ResetOnLogon=N\`. [examples/certification-desk.cpp](../examples/certification-desk.cpp) is a whole desk on QuickFIX C++ that passes.

Each message of the desk has a bound, \`--wait\`, 60 seconds by default; the first Logon(A) has \`--first\`, ten minutes. When a message does not come in
time its check fails. After steps 2, 3 and 4 the script continues all the same; after any other step the rest is not reached. A check that fails on
what the desk has sent does not end the step, so one run shows as much as it can.

The report is a text for people and the same as JSON for programs. It names the desk, the versions, the SHA-256 of the dictionary and of
this script, each check with its result and its reason, and every message of each step without secrets; of prices only the first ones. The text names the
SHA-256 of the JSON file and has a line for each side's signature: to sign the text is to sign that file. The exit code is 0 when every step has passed,
1 when not, and 130 after Ctrl-C, which still writes the report of what was reached.
`;
