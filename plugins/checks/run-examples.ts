import { newId, Problem, token, type Clock, type UserPrincipal } from '../../core/index.ts';
import type { Example } from '../catalogue/contract.ts';
import { isGivenUp, type Invoker, type UnrecordedCall } from '../invocation/contract.ts';
import { differencesOf, pointerOf, valueAt, type Difference } from './differences.ts';
import { excerptsOf } from './excerpts.ts';
import type { ExampleResult } from './example-result.ts';

/** Differences of one example that are told. */
const MOST_DIFFERENCES = 20;

/** For all examples of a version, in milliseconds: twice what one call may take by default. */
const DEADLINE_MS = 60_000;

/** The account that checks call as. It is no row among the accounts: nobody signs in as it, and nobody disables it. */
const SERVICE_ACCOUNT: UserPrincipal = {
  kind: 'user',
  userId: 'checks',
  username: 'checks',
  role: 'admin',
  via: 'checks:schedule',
  credentialId: 'checks',
};

/** The version whose examples are run. */
export interface CheckedIds {
  readonly algorithm_id: string;
  readonly version_id: string;
}

export interface ExampleRunnerDeps {
  readonly invoker: Invoker;
  readonly clock: Clock;
  /** Milliseconds for all examples of a version; 60,000 by default. */
  readonly deadlineMs?: number;
}

/** Calls a version with its examples, one after the other, and compares what it answers. */
export class ExampleRunner {
  readonly #deps: Required<ExampleRunnerDeps>;

  constructor(deps: ExampleRunnerDeps) {
    this.#deps = { deadlineMs: DEADLINE_MS, ...deps };
  }

  /** Throws what says nothing about the endpoint: the reason of the signal, and problems of this service. */
  async run(of: CheckedIds, examples: readonly Example[], signal: AbortSignal): Promise<ExampleResult[]> {
    const { clock, deadlineMs } = this.#deps;
    const end = clock.elapsed() + deadlineMs;
    const results: ExampleResult[] = [];
    for (const example of examples) {
      signal.throwIfAborted();
      const left = end - clock.elapsed();
      results.push(
        left > 0
          ? await this.#runOne(of, example, { left, signal, isFirst: results.length === 0 })
          : skipped(example),
      );
    }
    return results;
  }

  async #runOne(
    of: CheckedIds,
    example: Example,
    {
      left,
      signal,
      isFirst,
    }: { readonly left: number; readonly signal: AbortSignal; readonly isFirst: boolean },
  ): Promise<ExampleResult> {
    const deadline = AbortSignal.timeout(Math.ceil(left));
    try {
      const call = await this.#call(of, example, AbortSignal.any([signal, deadline]));
      signal.throwIfAborted();
      if (!isGivenUp(call.record.error_code)) return resultOf(example, call);
      // Only the first example had all the time that there is.
      return isFirst ? failed(example, 'check_timeout', this.#lateText()) : skipped(example);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem) || error.status !== 422) throw error;
      return failed(example, error.code, error.message);
    }
  }

  #call(
    { algorithm_id, version_id }: CheckedIds,
    example: Example,
    signal: AbortSignal,
  ): Promise<UnrecordedCall> {
    const { input_data, params } = example;
    const request = { algorithm_id, version_id, input_data, ...(params && { params }) };
    const requestId = newId(this.#deps.clock.now());
    const traceId = requestId.replaceAll('-', '');
    const traceparent = `00-${traceId}-${traceId.slice(16)}-00`;
    return this.#deps.invoker.callUnrecorded(SERVICE_ACCOUNT, request, {
      channel: 'direct',
      address: '127.0.0.1',
      requestId,
      traceparent,
      signal,
    });
  }

  #lateText(): string {
    return `The endpoint did not answer within the ${this.#deps.deadlineMs / 1000} s that a check may take.`;
  }
}

function resultOf(example: Example, { record, kept }: UnrecordedCall): ExampleResult {
  const { response_time } = record;
  if (record.status !== 'success')
    return { ...failed(example, record.error_code ?? '', kept.error_message ?? ''), response_time };
  const differences = expectedOf(example, record.output_data).map((difference) =>
    shown(difference, kept.output_data),
  );
  const outcome = differences.length === 0 ? 'passed' : 'failed';
  return { ...about(example), outcome, response_time, error_code: null, error_message: null, differences };
}

/** Without an expected output any answer that the output schema allows is right. */
function expectedOf({ output_data, tolerance }: Example, got: unknown): Difference[] {
  if (output_data === null || output_data === undefined) return [];
  const found: Difference[] = [];
  for (const difference of differencesOf(output_data, got, tolerance)) {
    if (found.push(difference) === MOST_DIFFERENCES) break;
  }
  return found;
}

/** What the payload policy would not keep unchanged is not told. */
function shown({ path, expected, got }: Difference, kept: unknown): ExampleResult['differences'][number] {
  const withheld = JSON.stringify(valueAt(kept, path)) !== JSON.stringify(got);
  const [expectedText, gotText] = excerptsOf(expected, withheld ? undefined : got);
  return { pointer: pointerOf(path), expected: expectedText, got: gotText, withheld };
}

function failed(example: Example, error_code: string, error_message: string): ExampleResult {
  return {
    ...about(example),
    outcome: 'failed',
    response_time: null,
    error_code,
    error_message,
    differences: [],
  };
}

function skipped(example: Example): ExampleResult {
  const nothing = { response_time: null, error_code: null, error_message: null, differences: [] };
  return { ...about(example), outcome: 'skipped', ...nothing };
}

function about({ id, name }: Example) {
  return { example_id: id, name };
}

export const EXAMPLE_RUNNER = token<ExampleRunner>('checks:example-runner');
