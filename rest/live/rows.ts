/** A booking or a payment as a row of the page's blotter. */
import { formatMinor } from '../../engine/domain/money.js';
import { agreedConversionRate } from '../../engine/domain/rate.js';
import type { BlotterRow } from '../../engine/service/blotter.js';
import { isoDate } from '../shapes.js';
import type { Row } from './page/messages.js';

export function rowOf(row: BlotterRow): Row {
  const { id, clientId, createdAtMs } = row;
  if ('booking' in row) {
    const { sell, sellCurrency, buy, buyCurrency, status, settledAtMs, pair, valueDate } = row.booking;
    return {
      id,
      clientId,
      kind: 'fx',
      createdAtMs,
      updatedAtMs: settledAtMs ?? createdAtMs,
      status,
      note: row.booking.type,
      sell: money(sell, sellCurrency),
      buy: money(buy, buyCurrency),
      rate: agreedConversionRate(row.booking).clientRate,
      pair,
      about: isoDate(valueDate),
    };
  }
  const { amount, given, currency, country, status, subStatus, toTransit, toFees, sourceCurrency, updatedAtMs } =
    row.payment;
  const paid = amount || (given.kind === 'destination' ? given.minor : '');
  const fromSource = given.kind === 'source' && paid === '' ? money(given.minor, sourceCurrency) : '';
  const leaves = toTransit === '' ? '' : String(BigInt(toTransit) + BigInt(toFees || '0'));
  return {
    id,
    clientId,
    kind: 'pay',
    createdAtMs,
    updatedAtMs,
    status,
    note: subStatus,
    sell: leaves === '' ? fromSource : money(leaves, currency),
    buy: paid === '' ? '' : money(paid, currency),
    rate: '',
    pair: '',
    about: country,
  };
}

function money(minor: string, currency: string): string {
  return `${formatMinor(BigInt(minor), currency)} ${currency}`;
}
