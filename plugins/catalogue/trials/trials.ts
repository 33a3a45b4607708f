import {
  Forbidden,
  isoTime,
  newId,
  token,
  type Audit,
  type Author,
  type Clock,
  type UserPrincipal,
} from '../../../core/index.ts';
import { prepared } from '../callables.ts';
import {
  SchemaTooCostly,
  type Algorithm,
  type AlgorithmRights,
  type CallableVersion,
  type SchemaFinding,
  type SchemaValidator,
  type TrialCall,
  type TrialOutcome,
  type ValueCheck,
  type VersionTrials,
} from '../contract.ts';
import { misfits } from '../examples/fit.ts';
import { orNull } from '../records.ts';
import { below } from '../schema/json.ts';
import type { VersionRules } from '../version-rules.ts';
import type { Visibility } from '../visibility.ts';
import type { TrialAnswer, TrialInput } from './schemas.ts';

export interface TrialsDeps {
  readonly rules: VersionRules;
  readonly validator: SchemaValidator;
  readonly visibility: Visibility;
  readonly rights: AlgorithmRights;
  readonly trials: readonly VersionTrials[];
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Checks versions before they are saved, and calls their endpoints. */
export class Trials {
  readonly #deps: TrialsDeps;

  constructor(deps: TrialsDeps) {
    this.#deps = deps;
  }

  /** Throws `AlgorithmNotFound`, `Forbidden` and `SchemaTooCostly`; what is wrong with the version is an answer. */
  async try(
    draft: TrialInput,
    principal: UserPrincipal,
    { request, by }: { readonly request: TrialCall['request']; readonly by: Author },
  ): Promise<TrialAnswer> {
    const algorithm = await this.#managed(draft.algorithm_id, principal);
    const refused = await this.#deps.rules.faultsOf(draft);
    if (refused.length > 0) return { findings: [...refused], call: null };
    const [trials] = this.#deps.trials;
    if (!draft.call || !trials) return { findings: [], call: null };
    if (draft.url === undefined) return { findings: [NO_URL], call: null };

    const callable = this.#callable(draft, algorithm);
    const { input_data, params: given = {} } = draft.call;
    const unfit = await misfits(callable, { input_data, params: given });
    if (unfit.length > 0) return { findings: below('/body/call', unfit), call: null };
    const { params } = callable.completeParams(given);
    const outcome = await trials.call({ principal, callable, input_data, params, request });
    // Before the answer is checked, which may take long and fail: what was called is in the audit trail in any case.
    await this.#record(by, draft, { algorithm, status: outcome.ok ? 'success' : 'failed' });
    return { findings: [], call: await resultOf(callable, outcome) };
  }

  async #managed(id: string | undefined, principal: UserPrincipal): Promise<Algorithm | undefined> {
    if (id === undefined) {
      if (principal.role === 'admin' && principal.resources === undefined) return undefined;
      throw Forbidden(
        'Name the `algorithm_id` of an algorithm that you manage; only administrators need none.',
      );
    }
    const algorithm = await this.#deps.visibility.algorithm(id, principal);
    if (await this.#deps.rights.may(principal, algorithm, 'manage')) return algorithm;
    throw Forbidden('Only administrators and those who manage the algorithm may try versions of it.');
  }

  #callable(draft: TrialInput, algorithm: Algorithm | undefined): CallableVersion {
    const now = isoTime(this.#deps.clock.now());
    const of = algorithm ?? unsaved(newId(this.#deps.clock.now()), now);
    return prepared(this.#deps.validator, {
      algorithm: of,
      version: {
        id: newId(this.#deps.clock.now()),
        algorithm_id: of.id,
        version: '',
        url: draft.url ?? '',
        params: orNull(draft.params),
        input_schema: orNull(draft.input_schema),
        output_schema: orNull(draft.output_schema),
        is_default: false,
        schema_too_costly_since: null,
        schema_paused_until: null,
        created_at: now,
        updated_at: now,
      },
    });
  }

  async #record(
    by: Author,
    { url }: TrialInput,
    { algorithm, status }: { readonly algorithm: Algorithm | undefined; readonly status: string },
  ): Promise<void> {
    await this.#deps.audit.record(undefined, by, {
      action: 'version.try',
      target: algorithm && { kind: 'algorithm', id: algorithm.id, name: algorithm.name },
      after: { url, status },
    });
  }
}

/** What a call of the version would answer, with the output also where its schema does not allow it. */
async function resultOf(
  { checkOutput, checksAnswer }: CallableVersion,
  outcome: TrialOutcome,
): Promise<NonNullable<TrialAnswer['call']>> {
  const response_time = outcome.seconds;
  if (!outcome.ok) {
    const { code: error_code, message: error_message, answered = null } = outcome;
    const output = { output_data: null, output_findings: [] };
    return { status: 'failed', response_time, ...output, error_code, error_message, answered };
  }
  const isAsGiven = checksAnswer && 'answer' in outcome;
  const found = await findingsOf(checkOutput, isAsGiven ? outcome.answer : outcome.output);
  const isAllowed = found.length === 0;
  return {
    status: isAllowed ? 'success' : 'failed',
    response_time,
    output_data: outcome.output,
    output_findings: [...found],
    error_code: isAllowed ? null : 'output_invalid',
    error_message: isAllowed ? null : NOT_ALLOWED,
    answered: null,
  };
}

async function findingsOf(check: ValueCheck, value: unknown): Promise<readonly SchemaFinding[]> {
  try {
    return await check(value);
  } catch (error) {
    if (!SchemaTooCostly.is(error)) throw error;
    return [{ pointer: '', message: `cannot be checked: ${error.message}` }];
  }
}

const NOT_ALLOWED = 'The endpoint answered what the output schema does not allow.';
const NO_URL = { pointer: '/body/url', message: 'is required.' };

/** Stands for an algorithm that is not saved either. */
function unsaved(id: string, now: string): Algorithm {
  const words = { name: '', description: '', type: '', tags: [] };
  return { id, ...words, status: 'inactive', access: 'private', created_at: now, updated_at: now };
}

export const TRIALS = token<Trials>('catalogue:trials');
