import type { Vitrine } from '../../../support/vitrine.ts';

/** Deletes all algorithms, with their versions, grants and policies, so that the cases of a suite may share a service. */
export async function emptyCatalogue(vitrine: Vitrine): Promise<void> {
  const { token } = await vitrine.admin();
  const { body } = await vitrine.request('GET', '/algorithms?limit=100', { token });
  for (const { id } of body.algorithms as { id: string }[]) {
    await vitrine.request('DELETE', `/algorithms/${id}`, { token });
  }
}
