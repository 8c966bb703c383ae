/** Where it listens on loopback, and the process whose CPU time and memory are read. */
export interface ServerUnderTest {
  readonly port: number;
  readonly pid: number;
}

/** The plan and the result of the load process. */
export interface LoadPlan {
  /** Desks use them in turn. */
  readonly servers: readonly ServerUnderTest[];
  /** `ws`: the server connects to us for its ticks; `lines`: we connect to it. */
  readonly feed: { readonly kind: 'ws' | 'lines'; readonly port: number };
  readonly targetCompId: string;
  readonly sessions: number;
  /** Number of the first desk, where that is not 1. */
  readonly firstDesk?: number;
  readonly pairs: readonly string[];
  /** Ticks a second, on a schedule that never waits; or at most `window` ticks that some desk has not read yet. */
  readonly pace: { readonly ticksPerSecond: number } | { readonly window: number };
  readonly warmUpS: number;
  readonly seconds: number;
  /** Other processes that work with the servers: their shares of a CPU are reported. */
  readonly beside?: readonly { readonly pid: number }[];
  /** One additional desk that subscribes to every pair many times over, and stops reading when the measurement begins, or does not. */
  readonly heavyDesk: 'none' | 'reads' | 'stalls';
}

export interface LoadResult {
  readonly messages: number;
  readonly seconds: number;
  readonly messagesPerCpuSecond: number;
  /** Shares of a CPU; summed over several servers. */
  readonly serverCpu: number;
  readonly loadCpu: number;
  readonly besideCpu: readonly number[];
  readonly latencyUs: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
  /** Part of the ticks fed during the measurement that reached the desks; below 1 where prices were conflated. */
  readonly delivered: number;
  readonly memoryKiBPerSession: number;
  /** Resident memory at the end, KiB. */
  readonly memoryKiB: number;
  readonly faults: string[];
  /** Seconds until the server had closed the stalled desk; absent when it did not. */
  readonly stalledGoneS?: number;
}
