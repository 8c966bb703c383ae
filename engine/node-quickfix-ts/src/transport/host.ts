import type { Dictionary } from '../dictionary/dictionary.js';
import { type Clock, SYSTEM_CLOCK } from '../session/ports.js';
import { safeApplication } from '../session/safe-application.js';
import type { SessionHost } from '../session/session.js';
import { SharedWriteBuffer } from '../session/shared-write-buffer.js';
import { TimerWheel } from '../session/timer-wheel.js';
import type { Application } from '../types.js';

/** What the sessions of one acceptor or initiator share, with the timer that turns their wheel. */
export class RunningHost implements SessionHost {
  readonly application: Application;
  readonly clock: Clock;
  readonly writeBuffer: SharedWriteBuffer;
  readonly wheel: TimerWheel;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    application: Application,
    readonly dictionary: Dictionary | undefined,
    clock: Partial<Clock>,
  ) {
    this.application = safeApplication(application);
    this.clock = { ...SYSTEM_CLOCK, ...clock };
    this.writeBuffer = new SharedWriteBuffer(this.clock);
    this.wheel = new TimerWheel(this.clock.elapsed());
  }

  start(): void {
    this.timer ??= setInterval(() => this.wheel.advance(this.clock.elapsed()), this.wheel.grainMs);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
