/** The library that turns the clock of a program, from clock.c. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Returns why it cannot be built; undefined: it is there, for LD_PRELOAD. */
export function buildClockLibrary(library: string): string | undefined {
  const source = fileURLToPath(new URL('clock.c', import.meta.url));
  const built = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'], { encoding: 'utf8' });
  if (built.error) return 'there is no C compiler: install one that is called cc (apt-get install gcc libc6-dev)';
  return built.status === 0 ? undefined : `${source} does not compile:\n${built.stderr}`;
}
