import { readFileSync } from 'node:fs';

const data = new URL('data/', import.meta.url);

/** Lines of a file of messages, `|` for SOH, without comments. */
export function lightMessages(file: string): string[] {
  return readFileSync(new URL(file, data), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('8='));
}

/** The golden message of a type; the first of several. */
export function golden(msgType: string): string {
  const message = lightMessages('golden-messages.txt').find((line) => line.includes(`|35=${msgType}|`));
  if (message === undefined) throw new Error(`no golden message ${msgType}`);
  return message;
}

export interface Sample {
  readonly id: string;
  readonly message: string;
  readonly body_length_ok: boolean;
  readonly checksum_ok: boolean;
}

export function samples(): Sample[] {
  const lines = readFileSync(new URL('samples.jsonl', data), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Sample);
}

export function dictionaryXml(): string {
  return readFileSync(new URL('../../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8');
}

/** Bytes of a message written with `|` for SOH. */
export function wire(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll('|', '\x01'), 'latin1'));
}

/** A whole message from the fields between BodyLength(9) and CheckSum(10), both computed. */
export function framed(body: string, beginString = 'FIX.4.4'): string {
  const text = `8=${beginString}|9=${body.length}|${body}`;
  const sum = wire(text).reduce((total, byte) => total + byte, 0);
  return `${text}10=${String(sum % 256).padStart(3, '0')}|`;
}
