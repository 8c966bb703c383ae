/** Clocks, counters and percentiles that the benchmarks share. Figures of a process are from /proc, so Linux only; elsewhere undefined. */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process, all threads, seconds. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    let nanos = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]);
    }
    return nanos / 1e9;
  } catch {
    return undefined;
  }
}

/** Of several processes together; NaN where that cannot be read. */
export function cpuOf(processes: readonly { readonly pid: number }[]): number {
  return processes.reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? Number.NaN), 0);
}

/** Resident memory of a process, KiB. */
export function residentKiB(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    return undefined;
  }
}

/** Open descriptors of a process: sockets and files. */
export function openDescriptors(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

const PER_DOUBLING = 64;

/** Latencies in microseconds, in logarithmic buckets within 1.1 percent; keeps no sample. */
export class Percentiles {
  readonly #buckets = new Float64Array(PER_DOUBLING * 32);
  count = 0;
  max = 0;

  record(micros: number): void {
    const bucket = Math.floor(Math.log2(Math.max(micros, 0) + 1) * PER_DOUBLING);
    this.#buckets[Math.min(bucket, this.#buckets.length - 1)]! += 1;
    this.count += 1;
    if (micros > this.max) this.max = micros;
  }

  at(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.count));
    let seen = 0;
    for (let bucket = 0; bucket < this.#buckets.length; bucket++) {
      seen += this.#buckets[bucket]!;
      if (seen >= wanted) return Math.min(2 ** ((bucket + 0.5) / PER_DOUBLING) - 1, this.max);
    }
    return this.max;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** A table in Markdown, ready for a README. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}
