/** The reference pages, made from what the programs themselves go by: `npm run docs` writes them. */
import { z } from 'zod';
import { REFUSAL_CODES, REFUSALS, type RefusalCode } from '../engine/domain/refusal.js';
import { FIX_REASONS } from '../engine/fix/refusals.js';
import { readConfig } from '../engine/wiring/config.js';
import { SETTINGS } from '../engine/wiring/settings.js';
import { HTTP_STATUS } from '../rest/http/refusals.js';

const GENERATED = '<!-- Made by `npm run docs`: change the source that it names, not this page. -->';

/** Page by file in docs/. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'configuration.md': configurationPage,
  'refusals.md': refusalsPage,
};

const ABOUT = z.object({
  readBy: z.array(z.string()).min(1),
  description: z.string().regex(/^[A-Z`].*\.$/s),
  accepted: z.string().optional(),
  fallback: z.string().optional(),
});

function configurationPage(): string {
  const chapters = Object.entries(SETTINGS).map(([heading, settings]) => {
    const rows = Object.entries<z.ZodType>(settings).map(([name, schema]) => settingRow(name, schema));
    return [`## ${heading}`, '', table(['setting', 'meaning', 'accepted', 'default', 'read by'], rows)].join('\n');
  });
  return `# Configuration

${GENERATED}

Every setting is an environment variable, and has a default; an empty value counts as none. A value that is not accepted ends the
start with one line that names the setting, the value and what is accepted. The source of this page is \`engine/wiring/config.ts\`; what a
production system sets is told in [operator](operator.md).

\`npm start\` hands the settings that it was given to the engine and to the sidecar. \`ratewire\` is the operator's command line: it needs
those of the store, with the values that the engine has.

${chapters.join('\n\n')}
`;
}

function settingRow(name: string, schema: z.ZodType): string[] {
  const about = ABOUT.safeParse(schema.meta());
  if (!about.success)
    throw new Error(
      `${name} in engine/wiring/config.ts needs .meta({ readBy, description }), a sentence: ${about.error}`,
    );
  const { readBy, description, accepted, fallback } = about.data;
  return [`\`${name}\``, description, accepted ?? acceptedBy(name, schema), fallback ?? usual(name), readBy.join(', ')];
}

/** The schema's own fault says what it takes. */
function acceptedBy(name: string, schema: z.ZodType): string {
  const faults = schema.safeParse('\0').error?.issues;
  if (!faults) throw new Error(`${name} in engine/wiring/config.ts takes anything: say what is accepted in .meta()`);
  return faults[0]!.message.replace(/^one of (.*)$/, (_, words: string) =>
    words
      .split(', ')
      .map((word) => `\`${word}\``)
      .join(', '),
  );
}

const DEFAULTS: Readonly<Record<string, unknown>> = readConfig({});

function usual(name: string): string {
  const value = DEFAULTS[name];
  if (value === undefined)
    throw new Error(`${name} in engine/wiring/config.ts has no default: say in .meta() what holds then`);
  return `\`${value}\``;
}

function refusalsPage(): string {
  const rows = REFUSAL_CODES.map((code, i) => {
    const [meaning, ...rest] = REFUSALS[code].split(': ');
    return [String(i + 1), `\`${code}\``, meaning!, rest.join(': '), String(HTTP_STATUS[code]), ...fixNumbers(code)];
  });
  const heads = ['', 'code', 'meaning', 'what to do', 'HTTP', 'Y 281', 'AG 658', 'AI 297', '8 103'];
  return `# Refusals

${GENERATED}

Every "no" of both doors, in the order of checks: the first that applies is the answer. The source of this page is
\`engine/domain/refusal.ts\`.

Over REST a refusal is \`application/problem+json\`: the HTTP status below, \`code\`, the first two columns' words as \`title\`, and
\`message\`, which may know more. Over FIX the code is ErrorCode(20011) and the words are Text(58); which message it stands in goes by
the message that is refused, and [the rules of engagement](../fix-config/rules-of-engagement.md#refusals) tell it for each:

| answer | its number |
| --- | --- |
| MarketDataRequestReject(Y) | MDReqRejReason(281): absent where the column is empty |
| QuoteRequestReject(AG) | QuoteRequestRejectReason(658): 99, other, where the column is empty |
| QuoteStatusReport(AI) | QuoteStatus(297): 5, rejected, where the column is empty |
| ExecutionReport(8) | OrdRejReason(103): 99, other, where the column is empty |

${table(heads, rows)}
`;
}

function fixNumbers(code: RefusalCode): string[] {
  const unless = (usually: number, number: number) => (number === usually ? '' : String(number));
  return [
    String(FIX_REASONS[code].marketData ?? ''),
    unless(99, FIX_REASONS[code].quoteRequest),
    unless(5, FIX_REASONS[code].quoteStatus),
    unless(99, FIX_REASONS[code].order),
  ];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
