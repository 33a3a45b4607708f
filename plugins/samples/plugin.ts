import { CLOCK, contribute, DATABASE, definePlugin, LOGGER, service, step } from '../../core/index.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { TRANSPORTS } from '../invocation/contract.ts';
import { moduleOf, samples } from './algorithms/index.ts';
import { SamplesSettings } from './config.ts';
import { EMBEDDED_ALGORITHMS } from './contract.ts';
import { embeddedId } from './listing.ts';
import { migrations } from './migrations.ts';
import { ALGORITHM_POOL, AlgorithmPool, WORKERS } from './running/pool.ts';
import { SEEDING, Seeding } from './seeding.ts';
import { EmbeddedTransport } from './transport.ts';

const settings = SamplesSettings.token;

const IDLE_MS = 60_000;
const WAITING_JOBS = 64;

export default definePlugin({
  id: 'samples',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Algorithms that run embedded, and the `plugin:` URLs through which any plugin can bring its own',
  requires: ['catalogue', 'invocation'],
  config: SamplesSettings,
  services: [
    service({
      token: ALGORITHM_POOL,
      deps: { settings },
      create: ({ settings: { memory_mb } }) =>
        new AlgorithmPool({ size: WORKERS, memoryMb: memory_mb, idleMs: IDLE_MS, queueLimit: WAITING_JOBS }),
    }),
    service({
      token: SEEDING,
      deps: { database: DATABASE, catalogue: CATALOGUE, settings, clock: CLOCK, logger: LOGGER },
      create: (deps) => new Seeding(deps),
    }),
  ],
  opens: [EMBEDDED_ALGORITHMS],
  contributes: [
    contribute(TRANSPORTS, {
      deps: { algorithms: EMBEDDED_ALGORITHMS, pool: ALGORITHM_POOL, settings, clock: CLOCK, logger: LOGGER },
      create: (deps) => new EmbeddedTransport(deps),
    }),
    ...samples.map((about) =>
      contribute(EMBEDDED_ALGORITHMS, {
        deps: {},
        create: () => ({ id: embeddedId(about), module: moduleOf(about) }),
      }),
    ),
  ],
  migrations,
  views: [
    {
      id: 'decision-tree',
      title: { en: 'Tree', zh: '树' },
      kind: 'frame',
      file: 'decision-tree.html',
    },
  ],
  webFiles: new URL('./assets/views/', import.meta.url),
  start: step({ seeding: SEEDING }, ({ seeding }) => seeding.seed()),
  stop: step({ pool: ALGORITHM_POOL }, ({ pool }) => pool.close()),
});
