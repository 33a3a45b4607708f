import { randomSecret, type Clock } from '../../../core/index.ts';
import { isGivenUp, type CallErrorCode, type CallOutcome } from '../../invocation/contract.ts';
import type { GatewayLimits } from '../config.ts';

/** Failures of the endpoint itself; what it refused or answered wrongly says nothing about its health. */
const UNHEALTHY: readonly CallErrorCode[] = ['upstream_unreachable', 'upstream_timeout', 'upstream_error'];
/** Failures that lie further apart are those of single calls and not of an endpoint that is down. */
const WINDOW_MS = 30_000;
/** An endpoint that is repaired is found within this time. */
const LONGEST_OPEN_MS = 300_000;
/** By which part of itself an open time may be longer by chance, so that instances do not try all at once. */
const JITTER = 0.2;
/** After how many milliseconds a call that meets a trial may be repeated. */
const AFTER_TRIAL_MS = 1000;

export type CircuitSettings = Pick<GatewayLimits, 'breaker_failures' | 'breaker_open_ms'>;

/** Why a circuit is open. */
export interface FailuresInARow {
  readonly count: number;
  readonly lastCode: CallErrorCode;
}

/**
 * The circuit of one endpoint: it opens after failures in a row within a window, and lets one trial call pass after a
 * while. When the trial fails, the circuit is open for twice as long. Times are measured by the monotonic clock.
 */
export class CircuitBreaker {
  readonly #settings: CircuitSettings;
  readonly #clock: Clock;
  readonly #onChange: (state: 'open' | 'closed') => void;
  #state: 'closed' | 'open' | 'half-open' = 'closed';
  /** When the failures in a row happened; empty once the circuit is open. */
  #failureTimes: number[] = [];
  #failures: FailuresInARow | undefined;
  #openUntil = 0;
  /** For how long the circuit is open, chance left out. */
  #openMs = 0;

  /** `onChange` is called when the circuit opens or stays open after a trial, and when it closes. */
  constructor(settings: CircuitSettings, clock: Clock, onChange: (state: 'open' | 'closed') => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** What opened it and keeps it open; `undefined` while it is closed. */
  get failures(): FailuresInARow | undefined {
    return this.#failures;
  }

  /** When calls may be tried again, in milliseconds since 1970; `undefined` when they may be tried now. */
  refusesUntil(): number | undefined {
    if (this.#state === 'closed') return undefined;
    const now = this.#clock.now();
    if (this.#state === 'half-open') return now + AFTER_TRIAL_MS;
    const leftMs = Math.ceil(this.#openUntil - this.#clock.elapsed());
    return leftMs > 0 ? now + leftMs : undefined;
  }

  /** Sends unless the circuit is open; `undefined` when it is. */
  run(send: () => Promise<CallOutcome>): Promise<CallOutcome> | undefined {
    if (this.refusesUntil() !== undefined) return undefined;
    if (this.#state !== 'closed') return this.#try(send);
    return send().then((outcome) => {
      this.#note(outcome);
      return outcome;
    });
  }

  /** Takes the outcome of a call that was sent while the circuit was closed; once it is open, the trial decides. */
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
    this.#failures = { count, lastCode: outcome.code };
    this.#open(breaker_open_ms);
    this.#onChange('open');
  }

  async #try(send: () => Promise<CallOutcome>): Promise<CallOutcome> {
    this.#state = 'half-open';
    let outcome: CallOutcome | undefined;
    try {
      outcome = await send();
      return outcome;
    } finally {
      this.#noteTrial(outcome);
    }
  }

  /** A trial that was not sent, or was given up, shows nothing: the circuit is open for as long as before. */
  #noteTrial(outcome: CallOutcome | undefined): void {
    if (outcome === undefined || showsNothing(outcome)) {
      this.#open(this.#openMs);
    } else if (!outcome.ok && UNHEALTHY.includes(outcome.code)) {
      this.#failures = { count: this.#failures!.count + 1, lastCode: outcome.code };
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
