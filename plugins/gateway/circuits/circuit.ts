import { BrokenCircuitError, circuitBreaker, CircuitState, handleWhenResult } from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import type { Clock } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import type { CallErrorCode, CallOutcome } from '../../invocation/contract.ts';
import { FailureStreak } from './failure-streak.ts';
import { OpenTime } from './open-time.ts';

/** Failures of the endpoint itself; what it refused or answered wrongly says nothing about its health. */
const UNHEALTHY: readonly CallErrorCode[] = ['upstream_unreachable', 'upstream_timeout', 'upstream_error'];

export type CircuitSettings = Pick<
  GatewayLimits,
  'breaker_failures' | 'breaker_window_s' | 'breaker_open_ms' | 'breaker_longest_open_ms'
>;

/** The circuit of one endpoint: it opens when the endpoint fails again and again, and tries one call after a while. */
export class Circuit {
  readonly #breaker: CircuitBreakerPolicy;
  readonly #clock: Clock;
  #openUntil = 0;

  constructor(settings: CircuitSettings, clock: Clock, onChange: (state: 'open' | 'closed') => void) {
    const { breaker_failures, breaker_window_s, breaker_open_ms, breaker_longest_open_ms } = settings;
    this.#clock = clock;
    this.#breaker = circuitBreaker(
      handleWhenResult((outcome) => this.#isFailure(outcome as CallOutcome)),
      {
        breaker: new FailureStreak(breaker_failures, breaker_window_s * 1000, clock),
        halfOpenAfter: this.#noting({ next: () => new OpenTime(breaker_open_ms, breaker_longest_open_ms) }),
      },
    );
    this.#breaker.onBreak(() => onChange('open'));
    this.#breaker.onReset(() => onChange('closed'));
  }

  /** When calls may be tried again, in milliseconds since 1970; `undefined` when they may be tried now. */
  refusesUntil(): number | undefined {
    const now = this.#clock.now();
    if (this.#breaker.state === CircuitState.HalfOpen) return now + 1000;
    return this.#breaker.state === CircuitState.Open && this.#openUntil > now ? this.#openUntil : undefined;
  }

  /** Sends unless the circuit is open; `undefined` when it is. */
  async run(send: () => Promise<CallOutcome>): Promise<CallOutcome | undefined> {
    // Cockatiel would make a call wait for the trial that is under way.
    if (this.#breaker.state === CircuitState.HalfOpen) return undefined;
    try {
      return await this.#breaker.execute(send);
    } catch (error) {
      if (error instanceof BrokenCircuitError) return undefined;
      throw error;
    }
  }

  #isFailure(outcome: CallOutcome): boolean {
    if (outcome.ok) return false;
    // A client that went away during the trial call has shown nothing about the endpoint.
    if (outcome.code === 'canceled') return this.#breaker.state === CircuitState.HalfOpen;
    return UNHEALTHY.includes(outcome.code);
  }

  /** Remembers until when the circuit will be open whenever a time is chosen. */
  #noting(factory: { next(): OpenTime }) {
    const next = (choose: { next(): OpenTime }) => {
      const time = choose.next();
      this.#openUntil = this.#clock.now() + time.duration;
      return { duration: time.duration, next: () => next(time) };
    };
    return { next: () => next(factory) };
  }
}
