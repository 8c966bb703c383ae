/** Fields that many answers have, as schemas; each use describes their meaning. */
import { z } from 'zod';
import { TEXT_MAX } from '../../engine/domain/text.js';

/** No text of an answer is longer than `maxLength` characters. */
export const textField = (description: string, example: string, maxLength = TEXT_MAX) =>
  z.string().meta({ description, maxLength, examples: [example] });

export const numberField = (description: string, example: number) =>
  z.number().meta({ description, examples: [example] });

export const flagField = (description: string, example: boolean) =>
  z.boolean().meta({ description, examples: [example] });

export const choiceField = <const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  example: Choice,
) => z.enum(choices).meta({ description, examples: [example] });

export const currencyField = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description, maxLength: 3, examples: [example] });

export const accountNumberField = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(100_000_000_000)
    .max(999_999_999_999)
    .meta({ description, examples: [example] });

/** ISO 8601 with Z. */
export const utcField = (description: string, example = '2026-11-20T08:01:00.000Z') =>
  timeField(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 24, 'date-time', description, example);

/** ISO 8601 with a numeric offset, as payments and fundings have it. */
export const offsetTimeField = (description: string, example = '2026-11-20T08:01:00.000+00:00') =>
  timeField(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/, 29, 'date-time', description, example);

/** YYYY-MM-DD. */
export const dateField = (description: string, example: string) =>
  timeField(/^\d{4}-\d{2}-\d{2}$/, 10, 'date', description, example);

const timeField = (form: RegExp, maxLength: number, format: string, description: string, example: string) =>
  z
    .string()
    .regex(form)
    .meta({ description, maxLength, format, examples: [example] });
