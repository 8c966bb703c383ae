/** A booking or a payment as a row of the page's blotter. */
import type { Row } from 'ratewire-live';
import { formatMinor } from '../../../engine/domain/money/money.js';
import { agreedConversionRate } from '../../../engine/domain/money/rate.js';
import { feeAndDelivered } from '../../../engine/domain/payments/payment-amounts.js';
import type { BlotterRow } from '../../../engine/service/conversions/blotter.js';
import { isoDate } from '../shapes.js';

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
      fee: '',
    };
  }
  const { amount, given, currency, country, status, subStatus, sourceCurrency, updatedAtMs } = row.payment;
  const amounts = feeAndDelivered(row.payment);
  const paid = amount || (given.kind === 'destination' ? given.minor : '');
  const fromSource = given.kind === 'source' && paid === '' ? money(given.minor, sourceCurrency) : '';
  return {
    id,
    clientId,
    kind: 'pay',
    createdAtMs,
    updatedAtMs,
    status,
    note: subStatus,
    sell: amounts && amount !== '' ? money(String(amounts.delivered + amounts.fee), currency) : fromSource,
    buy: paid === '' ? '' : money(paid, currency),
    rate: '',
    pair: '',
    about: country,
    fee: amounts ? money(String(amounts.fee), currency) : '',
  };
}

function money(minor: string, currency: string): string {
  return `${formatMinor(BigInt(minor), currency)} ${currency}`;
}
