/** What a payment is for, against who pays whom (G14, G15). */
import type { Examined } from './context.js';
import { isSameName } from './letters.js';

/** Between persons, or a person and a company; never from company to company. */
const PERSONAL: ReadonlySet<string> = new Set(['IR002', 'IR003', 'IR004', 'IR005', 'IR006', 'IR017']);

export function checkPurpose({ given, found, circumstances, context }: Examined): void {
  const purpose = given.text('remitter.purposeCode');
  if (purpose === undefined) return;
  const { remitter, beneficiary } = circumstances;
  const say = (text: string, rule: string) => found.add('remitter.purposeCode', 'invalid_combination', text, rule);
  if (purpose === 'IR001') {
    const from = given.text('remitter.name') ?? context.clientName;
    const to = given.text('beneficiary.name');
    if (from !== undefined && to !== undefined && !isSameName(from, to))
      say("own account: the beneficiary's name has to be the remitter's", 'G14');
  }
  if (PERSONAL.has(purpose) && remitter === 'Company' && beneficiary === 'Company')
    say('not for a payment from company to company', 'G15');
  if (purpose.startsWith('IR018') && remitter === 'Individual' && beneficiary === 'Individual')
    say('needs a company on one side', 'G15');
}
