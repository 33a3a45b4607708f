import {
  AUDIT,
  CLOCK,
  DATABASE,
  EGRESS,
  EVENTS,
  LOGGER,
  METRICS,
  service,
  INVALIDATION,
} from '../../core/index.ts';
import { ALGORITHMS, Algorithms } from './algorithms.ts';
import { CALL_FIGURES, CallFigures } from './call-figures.ts';
import { CHECK_MARKS, CheckMarks } from './check-marks.ts';
import { CALLABLES, Callables } from './callables.ts';
import { CatalogueForPlugins } from './catalogue.ts';
import { CatalogueChanges, CHANGES } from './changes.ts';
import {
  ACCESS_POLICIES,
  ALGORITHM_RIGHTS,
  CATALOGUE,
  ENDPOINT_SCHEMES,
  PORTABLE_SECTIONS,
  RECORDED_CALLS,
  SCHEMA_VALIDATOR,
  VERSION_CHECKS,
  VERSION_TRIALS,
} from './contract.ts';
import { EndpointUrls } from './endpoint-urls.ts';
import { EXAMPLES, Examples } from './examples/examples.ts';
import { FACETS, FacetCounts } from './facets.ts';
import { AlgorithmLists, LISTS } from './lists.ts';
import { CATALOGUE_EXPORT, CatalogueExport } from './portable/export.ts';
import { CATALOGUE_IMPORT, CatalogueImport } from './portable/import.ts';
import { ImportLock } from './portable/import-lock.ts';
import { PUBLIC_ANSWERS, PublicAnswers } from './public-answers.ts';
import { CatalogueReader, READER } from './reader.ts';
import { PolicyRights } from './rights.ts';
import { BoundedSchemaValidator } from './schema/validator.ts';
import { SCHEMA_POOL, SchemaPool } from './schema/schema-pool.ts';
import { TRIALS, Trials } from './trials/trials.ts';
import { VERSION_RULES, VersionRules } from './version-rules.ts';
import { VERSIONS, Versions } from './versions.ts';
import { VISIBILITY, Visibility } from './visibility.ts';

/** Pages of a catalogue of ten thousand algorithms; what is asked for seldom is read again. */
const ANSWER_CACHE_BYTES = 16 * 1024 * 1024;

export const services = [
  service({
    token: READER,
    deps: { database: DATABASE },
    create: ({ database }) => new CatalogueReader(database),
  }),
  service({
    token: CHANGES,
    deps: { invalidation: INVALIDATION, events: EVENTS, audit: AUDIT },
    create: (deps) => new CatalogueChanges(deps),
  }),
  service({
    token: SCHEMA_POOL,
    deps: { clock: CLOCK },
    create: ({ clock }) => new SchemaPool({ now: () => clock.now() }),
  }),
  service({
    token: SCHEMA_VALIDATOR,
    deps: { workers: SCHEMA_POOL, logger: LOGGER, metrics: METRICS },
    create: (deps) => new BoundedSchemaValidator(deps),
  }),
  service({
    token: ALGORITHMS,
    deps: { database: DATABASE, clock: CLOCK, changes: CHANGES, policies: ACCESS_POLICIES },
    create: (deps) => new Algorithms(deps),
  }),
  service({
    token: VERSION_RULES,
    deps: { egress: EGRESS, schemes: ENDPOINT_SCHEMES, validator: SCHEMA_VALIDATOR },
    create: ({ egress, schemes, validator }) =>
      new VersionRules({ urls: new EndpointUrls({ egress, schemes }), validator }),
  }),
  service({
    token: VERSIONS,
    deps: {
      database: DATABASE,
      clock: CLOCK,
      reader: READER,
      changes: CHANGES,
      rules: VERSION_RULES,
    },
    create: (deps) => new Versions(deps),
  }),
  service({
    token: VISIBILITY,
    deps: {
      reader: READER,
      rights: ALGORITHM_RIGHTS,
      policies: ACCESS_POLICIES,
      invalidation: INVALIDATION,
    },
    create: (deps) => new Visibility(deps),
  }),
  service({
    token: CALLABLES,
    deps: { reader: READER, validator: SCHEMA_VALIDATOR, versions: VERSIONS, invalidation: INVALIDATION },
    create: (deps) => new Callables(deps),
  }),
  service({
    token: EXAMPLES,
    deps: { database: DATABASE, clock: CLOCK, callables: CALLABLES, changes: CHANGES },
    create: (deps) => new Examples(deps),
  }),
  service({
    token: CHECK_MARKS,
    deps: { checks: VERSION_CHECKS, reader: READER },
    create: (deps) => new CheckMarks(deps),
  }),
  service({
    token: FACETS,
    deps: { database: DATABASE, marks: CHECK_MARKS, invalidation: INVALIDATION },
    create: (deps) => new FacetCounts(deps),
  }),
  service({
    token: CALL_FIGURES,
    deps: { calls: RECORDED_CALLS, reader: READER, clock: CLOCK, invalidation: INVALIDATION },
    create: (deps) => new CallFigures(deps),
  }),
  service({
    token: LISTS,
    deps: { reader: READER, facets: FACETS, figures: CALL_FIGURES, marks: CHECK_MARKS },
    create: (deps) => new AlgorithmLists(deps),
  }),
  service({
    token: PUBLIC_ANSWERS,
    deps: {
      reader: READER,
      examples: EXAMPLES,
      lists: LISTS,
      marks: CHECK_MARKS,
      visibility: VISIBILITY,
      invalidation: INVALIDATION,
    },
    create: (deps) => new PublicAnswers({ ...deps, limitBytes: ANSWER_CACHE_BYTES }),
  }),
  service({
    token: ALGORITHM_RIGHTS,
    deps: { policies: ACCESS_POLICIES },
    create: ({ policies }) => new PolicyRights(policies),
  }),
  service({
    token: CATALOGUE,
    deps: {
      reader: READER,
      algorithms: ALGORITHMS,
      versions: VERSIONS,
      examples: EXAMPLES,
      callables: CALLABLES,
      visibility: VISIBILITY,
    },
    create: (deps) => new CatalogueForPlugins(deps),
  }),
  service({
    token: TRIALS,
    deps: {
      rules: VERSION_RULES,
      validator: SCHEMA_VALIDATOR,
      visibility: VISIBILITY,
      rights: ALGORITHM_RIGHTS,
      trials: VERSION_TRIALS,
      audit: AUDIT,
      clock: CLOCK,
    },
    create: (deps) => new Trials(deps),
  }),
  service({
    token: CATALOGUE_EXPORT,
    deps: { reader: READER, examples: EXAMPLES, sections: PORTABLE_SECTIONS },
    create: (deps) => new CatalogueExport(deps),
  }),
  service({
    token: CATALOGUE_IMPORT,
    deps: {
      reader: READER,
      algorithms: ALGORITHMS,
      versions: VERSIONS,
      examples: EXAMPLES,
      exported: CATALOGUE_EXPORT,
      sections: PORTABLE_SECTIONS,
      checks: SCHEMA_VALIDATOR,
      rules: VERSION_RULES,
      database: DATABASE,
      clock: CLOCK,
    },
    create: ({ database, clock, ...deps }) =>
      new CatalogueImport({ ...deps, lock: new ImportLock({ database, clock }) }),
  }),
];
