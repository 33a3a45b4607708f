import type { ExampledVersion } from '../catalogue/contract.ts';
import type { UncheckedReason } from './schemas.ts';

/** Why a version cannot be checked; `undefined` when it can. */
export function whyUncheckable(
  version: Pick<ExampledVersion, 'status' | 'fitting' | 'expecting'> | undefined,
): UncheckedReason | undefined {
  if (version === undefined || version.fitting === 0) return 'no_examples';
  if (version.expecting === 0) return 'no_expected_output';
  return version.status === 'inactive' ? 'inactive' : undefined;
}
