/** An example of an answer, put together from the examples of its fields. */
import { z } from 'zod';

/** Undefined for a field that has none: then it is left out. */
export function exampleOf(type: z.core.$ZodType): unknown {
  const given = (z.globalRegistry.get(type) as { readonly examples?: readonly unknown[] } | undefined)?.examples?.[0];
  if (given !== undefined) return given;
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return exampleOf(type.unwrap());
  if (type instanceof z.ZodArray) return [exampleOf(type.element)];
  if (!(type instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(type.shape).map(([name, field]) => [name, exampleOf(field as z.core.$ZodType)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
