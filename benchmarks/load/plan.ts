/** Where it listens on loopback, and the process whose CPU time and memory are read. */
export interface ServerUnderTest {
  readonly port: number;
  readonly pid: number;
}

/** What the load process is told, and what it tells. */
export interface LoadPlan {
  /** Desks take them in turn. */
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
  /** Other processes that do the work with the servers: the shares of a CPU that each takes are told. */
  readonly beside?: readonly { readonly pid: number }[];
  /** One desk more that asks for every pair many times over, and stops reading when the measurement begins, or does not. */
  readonly heavyDesk: 'none' | 'reads' | 'stalls';
}

export interface LoadResult {
  readonly messages: number;
  readonly seconds: number;
  readonly messagesPerCpuSecond: number;
  /** Shares of a CPU; of several servers the sum. */
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
  /** Of all that was fed in the measurement, the share that reached the desks; below 1 where prices were conflated. */
  readonly delivered: number;
  readonly memoryKiBPerSession: number;
  /** Resident memory at the end, KiB. */
  readonly memoryKiB: number;
  readonly faults: string[];
  /** Seconds until the server had closed the stalled desk; absent when it did not. */
  readonly stalledGoneS?: number;
}
