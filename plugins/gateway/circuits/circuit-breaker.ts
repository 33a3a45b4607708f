import { randomSecret, type Clock } from '../../../core/index.ts';
import { isGivenUp, type CallErrorCode, type CallOutcome } from '../../invocation/contract.ts';
import type { GatewaySettings } from '../config.ts';

/** Failures of the endpoint itself. Refusals and wrong answers are no evidence about its health. */
const UNHEALTHY: readonly CallErrorCode[] = ['upstream_unreachable', 'upstream_timeout', 'upstream_error'];
/** Failures that lie further apart are those of single calls and not of an endpoint that is down. */
const WINDOW_MS = 30_000;
/** An endpoint that is repaired is found within this time. */
const LONGEST_OPEN_MS = 300_000;
/** An open time grows by a random share of up to this, so that instances do not send their trials at once. */
const JITTER = 0.2;
/** Milliseconds after which a call that is refused during a trial may be repeated. */
const AFTER_TRIAL_MS = 1000;

export type CircuitSettings = Pick<GatewaySettings, 'breaker_failures' | 'breaker_open_ms'>;

/** Why a circuit is open. */
export interface FailuresInARow {
  readonly count: number;
  readonly lastCode: CallErrorCode;
  /** When the circuit opened, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * The circuit of one endpoint. It opens after consecutive failures within a window, and lets one trial call pass after
 * the open time. When the trial fails, the next open time is twice as long. Times are of the monotonic clock.
 */
export class CircuitBreaker {
  readonly #settings: CircuitSettings;
  readonly #clock: Clock;
  readonly #onChange: (state: 'open' | 'closed') => void;
  #state: 'closed' | 'open' | 'half_open' = 'closed';
  /** The times of the consecutive failures; empty once the circuit is open. */
  #failureTimes: number[] = [];
  #failures: FailuresInARow | undefined;
  #openUntil = 0;
  /** The open time in milliseconds, without the random part. */
  #openMs = 0;

  /** `onChange` is called when the circuit opens or stays open after a trial, and when it closes. */
  constructor(settings: CircuitSettings, clock: Clock, onChange: (state: 'open' | 'closed') => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The failures that opened the circuit; `undefined` while it is closed. */
  get failures(): FailuresInARow | undefined {
    return this.#failures;
  }

  /** `half_open`: a trial call is under way, or the next call is one. */
  get state(): 'closed' | 'open' | 'half_open' {
    if (this.#state === 'closed') return 'closed';
    return this.refusesUntil() === undefined ? 'half_open' : this.#state;
  }

  /** When calls may be sent again, in milliseconds since 1970; `undefined` when they may be sent now. */
  refusesUntil(): number | undefined {
    if (this.#state === 'closed') return undefined;
    const now = this.#clock.now();
    if (this.#state === 'half_open') return now + AFTER_TRIAL_MS;
    const leftMs = Math.ceil(this.#openUntil - this.#clock.elapsed());
    return leftMs > 0 ? now + leftMs : undefined;
  }

  /** Sends the call; returns `undefined` when the circuit is open. */
  run(send: () => Promise<CallOutcome>): Promise<CallOutcome> | undefined {
    if (this.refusesUntil() !== undefined) return undefined;
    if (this.#state !== 'closed') return this.#try(send);
    return send().then((outcome) => {
      this.#note(outcome);
      return outcome;
    });
  }

  /** Evaluates the outcome of a call that was sent while the circuit was closed. Once it is open, the trial decides. */
  #note(outcome: CallOutcome): void {
    if (this.#state !== 'closed' || showsNothing(outcome)) return;
    if (outcome.ok || !UNHEALTHY.includes(outcome.code)) {
      if (this.#failureTimes.length > 0) this.#failureTimes = [];
      return;
    }
    const { breaker_failures: count, breaker_open_ms } = this.#settings;
    const now = this.#clock.elapsed();
    this.#failureTimes = this.#failureTimes.filter((time) => now - time < WINDOW_MS);
    this.#failureTimes.push(now);
    if (this.#failureTimes.length < count) return;
    this.#failureTimes = [];
    this.#failures = { count, lastCode: outcome.code, since: this.#clock.now() };
    this.#open(breaker_open_ms);
    this.#onChange('open');
  }

  async #try(send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    this.#state = 'half_open';
    let outcome: CallOutcome | undefined;
    try {
      outcome = await send();
      return outcome;
    } finally {
      this.#noteTrial(outcome);
    }
  }

  /** Evaluates a trial. One that was not sent or was aborted is no evidence, and keeps the open time. */
  #noteTrial(outcome: CallOutcome | undefined): void {
    if (outcome === undefined || showsNothing(outcome)) {
      this.#open(this.#openMs);
    } else if (!outcome.ok && UNHEALTHY.includes(outcome.code)) {
      const { count, since } = this.#failures!;
      this.#failures = { count: count + 1, lastCode: outcome.code, since };
      this.#open(this.#openMs * 2);
      this.#onChange('open');
    } else {
      this.#state = 'closed';
      this.#failures = undefined;
      this.#onChange('closed');
    }
  }

  #open(wantedMs: number): void {
    this.#state = 'open';
    this.#openMs = Math.min(wantedMs, LONGEST_OPEN_MS / (1 + JITTER));
    const chance = randomSecret(1)[0]! / 255;
    this.#openUntil = this.#clock.elapsed() + Math.min(LONGEST_OPEN_MS, this.#openMs * (1 + JITTER * chance));
  }
}

function showsNothing(outcome: CallOutcome): boolean {
  return !outcome.ok && isGivenUp(outcome.code);
}
