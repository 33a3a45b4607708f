import { contribute, definePlugin, PERMISSION_DECIDERS, step } from '../../core/index.ts';
import { exportCatalogue, importCatalogue } from './commands.ts';
import {
  ACCESS_POLICIES,
  ALGORITHM_RIGHTS,
  algorithmChanged,
  algorithmDeleted,
  AlgorithmNotCovered,
  AlgorithmNotFound,
  CATALOGUE,
  ENDPOINT_SCHEMES,
  ExampleNotFound,
  PORTABLE_SECTIONS,
  RECORDED_CALLS,
  ImportRunning,
  SchemaTooCostly,
  TooManyExamples,
  TooManyVersions,
  VERSION_CHECKS,
  VERSION_TRIALS,
  VersionLabelTaken,
  VersionNotFound,
} from './contract.ts';
import { backendsCheck } from './doctor.ts';
import { migrations } from './migrations.ts';
import { MANAGE, manageDecider } from './rights.ts';
import { algorithmRoutes } from './routes/algorithms.ts';
import { exampleRoutes } from './routes/examples.ts';
import { transferRoutes } from './routes/transfer.ts';
import { trialRoutes } from './routes/trials.ts';
import { versionRoutes } from './routes/versions.ts';
import { TOO_COSTLY_METRIC } from './schema/validator.ts';
import { SCHEMA_POOL } from './schema/schema-pool.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'catalogue',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Keeps the algorithms and their versions, and says who may do what with them',
  services,
  routes: [...algorithmRoutes, ...versionRoutes, ...trialRoutes, ...exampleRoutes, ...transferRoutes],
  migrations,
  commands: [exportCatalogue, importCatalogue],
  events: { emits: [algorithmChanged, algorithmDeleted] },
  opens: [
    ACCESS_POLICIES,
    ENDPOINT_SCHEMES,
    PORTABLE_SECTIONS,
    RECORDED_CALLS,
    VERSION_CHECKS,
    VERSION_TRIALS,
  ],
  contributes: [
    contribute(PERMISSION_DECIDERS, {
      deps: { catalogue: CATALOGUE, rights: ALGORITHM_RIGHTS },
      create: manageDecider,
    }),
  ],
  problems: [
    AlgorithmNotFound,
    AlgorithmNotCovered,
    VersionNotFound,
    VersionLabelTaken,
    TooManyVersions,
    ExampleNotFound,
    TooManyExamples,
    SchemaTooCostly,
    ImportRunning,
  ],
  permissions: [MANAGE],
  metrics: [TOO_COSTLY_METRIC],
  doctor: [backendsCheck],
  stop: step({ workers: SCHEMA_POOL }, ({ workers }) => workers.stop()),
});
