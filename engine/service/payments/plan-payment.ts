/** Plans which accounts pay a payment now, and with which conversions; or that it has to wait. */
import { type Hold, holdSelling } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import { pairBySymbol, pairOf } from '../../domain/money/pair.js';
import type { PaymentFacts } from '../../domain/payments/payment.js';
import { amountsGiven, amountsWithinLimits, type PaymentAmounts } from '../../domain/payments/payment-amounts.js';
import type { Balance } from '../../store/accounts/accounts.js';
import type { PaymentPlan } from '../../store/payments/payment-step.js';
import type { StepLimits } from '../../store/risk/limits.js';
import type { Services } from '../core/services.js';
import { refuseIfNotTradable } from '../prices/index.js';
import { limitsOf, stepLimits } from '../risk/index.js';
import { type Sell, sellFor } from './payment-sells.js';

export interface PlanRequest {
  readonly clientId: string;
  readonly facts: PaymentFacts;
  /** All accounts of the client. */
  readonly accounts: readonly Balance[];
  /** Undefined also for an unknown hold: the store's step refuses it in its place in the order. */
  readonly hold: Hold | undefined;
  /** Why the given amount is invalid. */
  readonly noAmount?: Refusal | undefined;
  readonly now: number;
}

/** The missing funds of a payment when it was planned. */
export interface Lack {
  /** The account that pays, or that is sold. */
  readonly account: string;
  /** Minor units, above 0. */
  readonly minor: bigint;
  readonly currency: string;
  /** The accounts of the Auto Book FX agreement lack it too. */
  readonly isAgreed?: boolean;
}

export interface Planned {
  /** What may pay it, as the queue names it: accounts, `own` for one that is not open yet, `agreement-EUR`, `none`. */
  readonly draws: readonly string[];
  /** Without a plan and a refusal: the missing funds. */
  readonly lacks?: Lack;
  /** Absent: insufficient funds, or a refusal. */
  readonly plan?: PaymentPlan;
  readonly refusal?: { readonly stage: 'amount' | 'price'; readonly code: RefusalCode; readonly text: string };
}

/** Maximum accounts that Auto Book FX sells from for one payment. */
const SELLS_MAX = 50;

/**
 * An account in the payment's currency pays, and when it is short the accounts of the agreement top it up in their order. An account in
 * another currency is sold: at the hold, or, with an agreement, at the market rate and before the others.
 */
export function planPayment(services: Services, request: PlanRequest): Planned {
  const { facts, accounts } = request;
  const { sourceAccount, sourceCurrency, currency } = facts;
  if (sourceAccount !== '' && sourceCurrency !== currency) {
    const hold = request.hold && holdSelling(request.hold, sourceCurrency);
    return fromOther(services, { ...request, hold });
  }
  const own = ownAccount(request);
  const draws = ownDraws(facts, own);
  const amounts = request.noAmount ?? amountsGiven(facts, BigInt(facts.given.minor));
  if (isRefusal(amounts)) return no('amount', draws, amounts);
  if (facts.holdId !== '') return no('price', draws, refuse('HOLD_MISMATCH', NOTHING_TO_SELL));
  const lacking = amounts.total - (payingAccount(request)?.balance ?? 0n);
  if (lacking <= 0n) return { draws, plan: planOf(amounts) };
  if (facts.given.kind === 'source') return { draws, lacks: { account: own, minor: lacking, currency } };
  return fillUp(services, request, amounts, { draws, account: own, others: inOrder(accounts, currency), lacking });
}

/**
 * The plan where an account in the payment's currency pays all of it, without a look at the accounts: the step refuses as `stale` where that
 * account does not cover it. Undefined where the payment needs another plan.
 */
export function planDirectly(facts: PaymentFacts): Planned | undefined {
  const { sourceAccount, sourceCurrency, currency, holdId, given } = facts;
  if ((sourceAccount !== '' && sourceCurrency !== currency) || holdId !== '') return undefined;
  const amounts = amountsGiven(facts, BigInt(given.minor));
  return isRefusal(amounts) ? undefined : { draws: ownDraws(facts, sourceAccount || 'own'), plan: planOf(amounts) };
}

/** A source amount is debited from its own account; no other contributes. */
const ownDraws = ({ given, currency }: PaymentFacts, own: string): readonly string[] =>
  given.kind === 'source' ? [own] : [own, agreementFor(currency)];

/** The debited account, in the payment's currency. */
const ownAccount = (request: PlanRequest): string => payingAccount(request)?.number ?? 'own';
const agreementFor = (currency: string): string => `agreement-${currency}`;

const NOTHING_TO_SELL = 'The account named is in the payment currency: name the one that the hold sells from';

/** The debited account; undefined: the client has none in its currency yet. */
function payingAccount({ facts: { sourceAccount, sourceCurrency, currency }, accounts }: PlanRequest) {
  if (sourceCurrency === currency) return accounts.find(({ number }) => number === sourceAccount);
  return accounts.find((account) => account.currency === currency && account.isDefault);
}

function fromOther(services: Services, request: PlanRequest): Planned {
  const { facts, accounts, hold } = request;
  const { sourceAccount, currency, holdId } = facts;
  const named = accounts.find(({ number }) => number === sourceAccount);
  const isWhole = facts.given.kind === 'source';
  const draws = holdId === '' && !isWhole ? [sourceAccount, agreementFor(currency)] : [sourceAccount];
  const agreement = inOrder(accounts, currency);
  if (holdId === '' && agreement.length === 0) {
    const other = facts.version === 1 ? '' : ', or an fx_hold_id';
    return no('amount', ['none'], refuse('ACCOUNT_CURRENCY', `${NO_AGREEMENT} ${currency}${other}`));
  }
  if (named && pairOf(named.currency, currency) === undefined) {
    const text = `${named.currency} is not converted into ${currency}: name an account in ${currency}`;
    return no('amount', ['none'], refuse('ACCOUNT_CURRENCY', text));
  }
  // Of a source amount in another currency, the rate determines what is paid.
  const given = isWhole ? undefined : amountsGiven(facts, BigInt(facts.given.minor));
  const amounts = request.noAmount ?? given;
  if (isRefusal(amounts)) return no('amount', draws, amounts);
  // The store's step determines which of the two it is.
  if (named === undefined || (holdId !== '' && hold === undefined)) return { draws };
  const closed = hold && refuseIfNotTradable(services, request.clientId, pairBySymbol(hold.pair)!);
  if (closed) return no('price', draws, closed);

  if (amounts === undefined) return allOf(services, request, named, draws);
  if (hold) return atHold(services, request, named, hold, amounts);
  const others = [named, ...agreement.filter(({ number }) => number !== named.number)];
  return fillUp(services, request, amounts, { draws, account: named.number, others, lacking: amounts.total });
}

const NO_AGREEMENT = 'The account is in another currency and there is no Auto Book FX agreement: name an account in';

/** Sells the source amount, and pays all that it buys. */
function allOf(services: Services, request: PlanRequest, named: Balance, draws: readonly string[]): Planned {
  const { facts, hold } = request;
  const minor = BigInt(facts.given.minor);
  if (hold?.amount && (hold.amount.side !== 'sell' || BigInt(hold.amount.minor) !== minor))
    return no('price', draws, refuse('HOLD_MISMATCH', OTHER_AMOUNT));
  const sell = sellFrom(services, request, named, { side: 'sell', minor }, 1);
  if (isRefusal(sell)) return no('price', draws, sell);
  const amounts = amountsWithinLimits(facts, sell.buyMinor);
  if (isRefusal(amounts)) return no('price', draws, amounts);
  if (named.balance >= minor) return { draws, plan: planOf(amounts, [sell], judgedOf(services, request, [sell])) };
  return { draws, lacks: { account: named.number, minor: minor - named.balance, currency: named.currency } };
}

/** A hold for a bought amount covers the payment's amount with its fee or without; in the latter case the account must have the fee. */
function atHold(
  services: Services,
  request: PlanRequest,
  named: Balance,
  { amount: held }: Hold,
  amounts: PaymentAmounts,
): Planned {
  const minor = held ? BigInt(held.minor) : amounts.total;
  const own = ownAccount(request);
  const draws = minor < amounts.total ? [named.number, own] : [named.number];
  const isOther = held?.side === 'sell' || (minor !== amounts.amount && minor !== amounts.total);
  if (isOther) return no('price', draws, refuse('HOLD_MISMATCH', OTHER_AMOUNT));
  const sell = sellFrom(services, request, named, { side: 'buy', minor }, 1);
  if (isRefusal(sell)) return no('price', draws, sell);
  const toSell = sell.sellMinor - named.balance;
  if (toSell > 0n) return { draws, lacks: { account: named.number, minor: toSell, currency: named.currency } };
  const ofFee = amounts.total - minor - (payingAccount(request)?.balance ?? 0n);
  if (minor < amounts.total && ofFee > 0n)
    return { draws, lacks: { account: own, minor: ofFee, currency: request.facts.currency } };
  return { draws, plan: planOf(amounts, [sell], judgedOf(services, request, [sell])) };
}

const OTHER_AMOUNT = 'The amount differs from the hold';

interface FillUp {
  readonly draws: readonly string[];
  /** The account to report when all of them together lack funds. */
  readonly account: string;
  readonly others: readonly Balance[];
  /** In the payment's currency. */
  readonly lacking: bigint;
}

/** Sells from one account after the other until `lacking` is bought. */
function fillUp(
  services: Services,
  request: PlanRequest,
  amounts: PaymentAmounts,
  { draws, account: named, others, lacking }: FillUp,
): Planned {
  const { currency, sourceAccount } = request.facts;
  const sells: Sell[] = [];
  let left = lacking;
  for (const account of others) {
    if (left <= 0n || sells.length === SELLS_MAX) break;
    if (account.balance <= 0n) continue;
    const place = sells.length + 1;
    const whole = sellFrom(services, request, account, { side: 'buy', minor: left }, place);
    const isCovered = !isRefusal(whole) && whole.sellMinor <= account.balance;
    const sell = isCovered
      ? whole
      : sellFrom(services, request, account, { side: 'sell', minor: account.balance }, place);
    if (isRefusal(sell)) {
      // Not a pair of this client's, or too little to buy anything: the next account is tried. A named account has to be sold.
      const isNamed = account.number === sourceAccount;
      if ((sell.refusal === 'NOT_ENTITLED' && !isNamed) || sell.refusal === 'AMOUNT_BELOW_MIN') continue;
      return no('price', draws, sell);
    }
    sells.push(sell);
    left -= sell.buyMinor;
  }
  if (left <= 0n) return { draws, plan: planOf(amounts, sells, judgedOf(services, request, sells)) };
  return { draws, lacks: { account: named, minor: left, currency, isAgreed: others.length > 0 } };
}

function sellFrom(
  services: Services,
  { clientId, facts, hold, now }: PlanRequest,
  { number, currency }: Balance,
  given: { readonly side: 'sell' | 'buy'; readonly minor: bigint },
  place: number,
): Sell | Refusal {
  return sellFor(services, { clientId, facts, account: number, sellCurrency: currency, hold, place, now }, given);
}

/** The accounts of the Auto Book FX agreement that can be sold for this currency, in their order. */
function inOrder(accounts: readonly Balance[], currency: string): Balance[] {
  return accounts
    .filter((account) => account.active && account.autoBookFxSequence > 0 && account.currency !== currency)
    .sort((a, b) => a.autoBookFxSequence - b.autoBookFxSequence || (a.number < b.number ? -1 : 1));
}

/** What the step judges of all conversions of the plan together. */
function judgedOf(services: Services, { clientId }: PlanRequest, sells: readonly Sell[]): StepLimits | undefined {
  return stepLimits(
    services,
    limitsOf(services, clientId),
    sells.map(({ deal }) => deal),
  );
}

function planOf(
  { amount, total, transit, fees }: PaymentAmounts,
  sells: readonly Sell[] = [],
  limits?: StepLimits,
): PaymentPlan {
  return {
    amount: String(amount),
    total: String(total),
    transit: String(transit),
    fees: String(fees),
    sells: sells.map((sell) => sell.planned()),
    ...(limits && { limits }),
  };
}

function no(stage: 'amount' | 'price', draws: readonly string[], { refusal: code, text }: Refusal): Planned {
  return { draws, refusal: { stage, code, text } };
}
