/** What the load process is told, and what it tells. */
export interface LoadPlan {
  readonly port: number;
  /** `ws`: the server connects to us for its ticks; `lines`: we connect to it. */
  readonly feed: { readonly kind: 'ws' | 'lines'; readonly port: number };
  readonly targetCompId: string;
  readonly sessions: number;
  readonly pairs: readonly string[];
  /** Ticks a second, on a schedule that never waits; or at most `window` ticks that some desk has not read yet. */
  readonly pace: { readonly ticksPerSecond: number } | { readonly window: number };
  readonly warmUpS: number;
  readonly seconds: number;
  readonly serverPid: number;
  /** One desk more that asks for every pair many times over, and stops reading when the measurement begins, or does not. */
  readonly heavyDesk: 'none' | 'reads' | 'stalls';
}

export interface LoadResult {
  readonly messages: number;
  readonly seconds: number;
  readonly messagesPerCpuSecond: number;
  /** Shares of a CPU. */
  readonly serverCpu: number;
  readonly loadCpu: number;
  readonly latencyUs: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  /** Of all that was fed in the measurement, the share that reached the desks; below 1 where prices were conflated. */
  readonly delivered: number;
  readonly memoryKiBPerSession: number;
  /** Resident memory at the end, KiB. */
  readonly memoryKiB: number;
  readonly faults: string[];
  /** Seconds until the server had closed the stalled desk; absent when it did not. */
  readonly stalledGoneS?: number;
}
