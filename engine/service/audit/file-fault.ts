import { type Refusal, refuseField } from '../../domain/refusal.js';

/** What the file system says of a path, as a refusal of the field that names it; everything else is thrown again. */
export function fileFault(error: unknown, field: string, path: string): Refusal {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return refuseField(field, `${path} cannot be read or written: ${code}`);
}
