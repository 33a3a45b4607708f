import {
  Bulkhead,
  CLOCK,
  DATABASE,
  DAY_MS,
  doctorCheck,
  EGRESS,
  isoDay,
  type Database,
  type Egress,
} from '../../core/index.ts';
import { VersionRow } from './models.ts';

/** Servers that are asked; more are only counted. */
const MOST_SERVERS = 50;
const AT_ONCE = 8;
/** With all servers away, 50 of them in eights take 21 s. */
const CONNECT_MS = 3_000;
/** Authorities that renew by themselves do so a month before the end. */
const SOON_DAYS = 21;

interface Finding {
  readonly state: 'warning';
  readonly message: string;
  readonly mend: string;
}

/** A server of endpoints, and the algorithm whose endpoint names it. */
interface Server {
  readonly origin: string;
  readonly algorithm: string;
}

/** Whether the servers of active algorithms accept connections, and when their certificates end. Nothing is sent to them. */
export const backendsCheck = doctorCheck({
  name: 'backends',
  deps: { database: DATABASE, egress: EGRESS, clock: CLOCK },
  check: async ({ database, egress, clock }) => {
    const servers = await serversOf(database);
    const asked = servers.slice(0, MOST_SERVERS);
    const oneOfFew = new Bulkhead({
      limit: AT_ONCE,
      queueLimit: MOST_SERVERS,
      waitMs: Infinity,
      refuse: () => new Error('There are too many servers.'),
    });
    const findings = await Promise.all(
      asked.map((server) => oneOfFew.run(() => findingOf(server, egress, clock.now()))),
    );
    const bad = findings.filter((finding) => finding !== undefined);
    const unasked =
      servers.length > asked.length ? `; only ${asked.length} of ${servers.length} were asked` : '';
    return [
      {
        state: 'ok',
        message: `${asked.length - bad.length} of ${asked.length} servers of endpoints accept connections and have lasting certificates${unasked}.`,
      },
      ...bad,
    ];
  },
});

/** The servers that HTTP endpoints of active algorithms name. */
async function serversOf(database: Database): Promise<readonly Server[]> {
  const rows = (await VersionRow.query(database.knex)
    .join('catalogue_algorithms as a', 'a.id', 'catalogue_versions.algorithm_id')
    .where('a.status', 'active')
    .where((either) =>
      either
        .whereILike('catalogue_versions.url', 'http://%')
        .orWhereILike('catalogue_versions.url', 'https://%'),
    )
    .select('catalogue_versions.url as url', 'a.name as name')
    .castTo<{ url: string; name: string }[]>()) as { url: string; name: string }[];
  const servers = new Map<string, Server>();
  for (const { url, name } of rows) {
    if (!URL.canParse(url)) continue;
    const { origin } = new URL(url);
    if (!servers.has(origin)) servers.set(origin, { origin, algorithm: name });
  }
  return [...servers.values()];
}

async function findingOf(
  { origin, algorithm }: Server,
  egress: Pick<Egress, 'connect'>,
  now: number,
): Promise<Finding | undefined> {
  const server = `The server ${origin} of the algorithm "${algorithm}"`;
  try {
    const { certificateEnds } = await egress.connect(origin, CONNECT_MS);
    if (certificateEnds === undefined || certificateEnds > now + SOON_DAYS * DAY_MS) return undefined;
    return {
      state: 'warning',
      message: `${server} has a certificate that ends on ${isoDay(certificateEnds)}.`,
      mend: 'Have the owner of that server renew it.',
    };
  } catch (error) {
    return {
      state: 'warning',
      message: `${server} cannot be reached: ${(error as Error).message}`,
      mend: `Start it, or correct the address of the version: curl -v ${origin}`,
    };
  }
}
