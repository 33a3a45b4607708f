import { circuitBreaker, CircuitState, handleWhenResult } from 'cockatiel';
import type { CircuitBreakerPolicy, IBackoff, IBackoffFactory } from 'cockatiel';
import type { Clock } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import { isGivenUp, type CallErrorCode, type CallOutcome } from '../../invocation/contract.ts';
import { FailureStreak } from './failure-streak.ts';
import { OpenTime } from './open-time.ts';

/** Failures of the endpoint itself; what it refused or answered wrongly says nothing about its health. */
const UNHEALTHY: readonly CallErrorCode[] = ['upstream_unreachable', 'upstream_timeout', 'upstream_error'];

export type CircuitSettings = Pick<
  GatewayLimits,
  'breaker_failures' | 'breaker_window_s' | 'breaker_open_ms' | 'breaker_longest_open_ms'
>;

/** Why a circuit is open. */
export interface FailuresInARow {
  readonly count: number;
  readonly lastCode: CallErrorCode;
}

/** The circuit of one endpoint: it opens when the endpoint fails again and again, and tries one call after a while. */
export class Circuit {
  readonly #breaker: CircuitBreakerPolicy;
  readonly #streak: FailureStreak;
  readonly #clock: Clock;
  readonly #failuresToOpen: number;
  /** By the monotonic clock. */
  #openUntil = 0;
  #failures: FailuresInARow | undefined;

  constructor(settings: CircuitSettings, clock: Clock, onChange: (state: 'open' | 'closed') => void) {
    const { breaker_failures, breaker_window_s, breaker_open_ms, breaker_longest_open_ms } = settings;
    this.#clock = clock;
    this.#failuresToOpen = breaker_failures;
    this.#streak = new FailureStreak(breaker_failures, breaker_window_s * 1000, clock);
    this.#breaker = circuitBreaker(
      // What keeps the trial call from being sent has shown nothing about the endpoint.
      handleWhenResult((outcome) => this.#isFailure(outcome as CallOutcome)).orWhen(() => this.#isTrying),
      {
        breaker: this.#streak,
        halfOpenAfter: this.#timed({ next: () => new OpenTime(breaker_open_ms, breaker_longest_open_ms) }),
      },
    );
    this.#breaker.onBreak((reason) => {
      if ('value' in reason) this.#noteFailure(reason.value as CallOutcome);
      onChange('open');
    });
    this.#breaker.onReset(() => {
      this.#failures = undefined;
      onChange('closed');
    });
  }

  /** What opened it and keeps it open; `undefined` while it is closed. */
  get failures(): FailuresInARow | undefined {
    return this.#failures;
  }

  /** When calls may be tried again, in milliseconds since 1970; `undefined` when they may be tried now. */
  refusesUntil(): number | undefined {
    if (this.#isClosed) return undefined;
    const now = this.#clock.now();
    if (this.#isTrying) return now + 1000;
    const leftMs = Math.ceil(this.#openUntil - this.#clock.elapsed());
    return leftMs > 0 ? now + leftMs : undefined;
  }

  /** Sends unless the circuit is open; `undefined` when it is. */
  run(send: () => Promise<CallOutcome>): Promise<CallOutcome> | undefined {
    // Cockatiel would make a call wait for the trial that is under way, and is told no time for which to refuse.
    if (this.refusesUntil() !== undefined) return undefined;
    return this.#isClosed ? send().then(this.#told) : this.#breaker.execute(send);
  }

  get #isClosed(): boolean {
    return this.#breaker.state === CircuitState.Closed;
  }

  get #isTrying(): boolean {
    return this.#breaker.state === CircuitState.HalfOpen;
  }

  /**
   * Tells the breaker what came of a call that was sent while the circuit was closed. It need not know of one more
   * that went well, nor of one that was given up, which shows nothing about the endpoint; and once the circuit is open,
   * its trial decides.
   */
  readonly #told = (outcome: CallOutcome): CallOutcome | Promise<CallOutcome> => {
    const saysNothing = outcome.ok ? this.#streak.isEmpty : isGivenUp(outcome.code);
    return saysNothing || !this.#isClosed ? outcome : this.#breaker.execute(() => outcome);
  };

  /** A trial whose client went away is no failure of the endpoint. */
  #noteFailure(outcome: CallOutcome): void {
    if (outcome.ok || isGivenUp(outcome.code)) return;
    const count = this.#failures ? this.#failures.count + 1 : this.#failuresToOpen;
    this.#failures = { count, lastCode: outcome.code };
  }

  #isFailure(outcome: CallOutcome): boolean {
    return !outcome.ok && (isGivenUp(outcome.code) || UNHEALTHY.includes(outcome.code));
  }

  /** Measures each time that is chosen; cockatiel would with the wall clock, and is told that it is over. */
  #timed(choose: { next(): OpenTime }): IBackoffFactory<unknown> {
    const next = (): IBackoff<unknown> => {
      const time = choose.next();
      this.#openUntil = this.#clock.elapsed() + time.duration;
      return { duration: -Infinity, ...this.#timed(time) };
    };
    return { next };
  }
}
