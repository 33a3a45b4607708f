import { newId } from '../../core/index.ts';
import { fillCatalogue } from '../../test/support/large-installation/fill-catalogue.ts';
import { fillHistory } from '../../test/support/large-installation/fill-history.ts';
import { signIn } from '../../test/support/service-client.ts';
import { gets, startLoad, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startService, WITHOUT_SAMPLES } from './support/processes.ts';
import { atMost, loadTable, printSection } from './support/report.ts';
import { loadInRounds, times } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

const ALGORITHMS = 10_000;
const CALLS = 200_000;
/** What the console asks for with each page of its catalogue. */
const PAGE = 'limit=24&facets=true&stats=true';

const QUERIES = {
  'first page': `${PAGE}&sort=name`,
  'a late page': `${PAGE}&sort=name&skip=9000`,
  'a word': `${PAGE}&sort=name&q=number+77`,
  'one type': `${PAGE}&sort=name&type=text`,
  'two types, a status, a tag': `${PAGE}&sort=name&type=text&type=nlp&status=active&tags=group+3`,
  'most calls first': `${PAGE}&sort=-calls`,
  'most successful first': `${PAGE}&sort=-success&q=number`,
  'last changed first': `${PAGE}&sort=-updated_at`,
};

/** Pages of a large catalogue with many calls, as the console asks for them. */
export async function measureCatalogue(stage: Stage, { engines, rounds }: Options): Promise<void> {
  const subjects = new Map<string, Subject>();
  for (const engine of engines) {
    const installation = await stage.installation(engine);
    const kernel = await stage.kernel(installation);
    const admin = await signIn(kernel.rootUrl, 'admin');
    const ids = await fillCatalogue(admin, ALGORITHMS);
    const algorithms = ids.map((id) => ({ id, versionId: newId() }));
    await fillHistory(kernel, { records: CALLS, busyUser: admin.id, algorithms });
    await kernel.stop();
    const service = stage.add(await startService(installation, WITHOUT_SAMPLES));
    for (const [name, query] of Object.entries(QUERIES)) {
      subjects.set(`${name} on ${engine}`, gets(service, `/api/v1/algorithms?${query}`));
    }
  }
  const load = stage.add(await startLoad());
  const reports = await loadInRounds(load, subjects, 1, { rounds, seconds: 1 });
  printSection(
    `A catalogue of ${ALGORITHMS} algorithms with ${CALLS} calls, one connection`,
    [...subjects.keys()].map((name) => atMost(50, 'ms', `p95: ${name}`, times(reports, name, 'p95'))),
    loadTable(reports),
  );
}
