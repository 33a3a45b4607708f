import { CatalogueChanges, CHANGES } from '../../../../plugins/catalogue/changes.ts';
import type { Vitrine } from '../../../support/vitrine.ts';

/** The ids of the algorithms whose changes are published from now on. Caches may hear of each more than once. */
export function publishedBy(vitrine: Vitrine): readonly string[] {
  const published: string[] = [];
  const changes = vitrine.get(CHANGES);
  changes.publish = (trx, algorithmId) => {
    published.push(algorithmId);
    CatalogueChanges.prototype.publish.call(changes, trx, algorithmId);
  };
  return published;
}
