/** The one door of the kernel: all that a plugin may import. */
export * from './errors/problem.ts';
export * from './errors/problems.ts';
export { StartupError } from './errors/startup-error.ts';
export { Bulkhead, type BulkheadOptions, type BulkheadRefusal } from './support/bulkhead.ts';
export { dayIn, timeIn } from './support/date-time.ts';
export { setDeadline, withDeadline } from './support/deadline.ts';
export { DAY_MS, isoDay, isoTime, LATEST_TIME, type Clock } from './support/clock.ts';
export { newId, isId, lowestIdAt, timeOfId, randomSecret } from './support/ids.ts';
export { networkMatcher, parseNetwork, plainAddress, type Network } from './support/networks.ts';
export { workerEntry, type WorkerEntry } from './support/worker-thread.ts';
export {
  token,
  optional,
  extensionPoint,
  type Token,
  type OptionalToken,
  type ExtensionPoint,
  type Dependencies,
  type Resolved,
} from './di/token.ts';
export { service, contribute, type Service, type Contribution } from './di/service.ts';
export { CLOCK } from './di/clock-token.ts';
export {
  setting,
  defineSettings,
  type Complaints,
  type Setting,
  type Settings,
  type SettingsOf,
} from './config/settings.ts';
export * from './auth/principal.ts';
export { SCOPES, type Scope } from './auth/scope.ts';
export * from './auth/verifier.ts';
export * from './auth/permission.ts';
export type { AccessRule } from './auth/access-rule.ts';
export { VAULT, type Vault } from './auth/vault.ts';
export { TOKEN_ISSUER, type TokenIssuer, type TokenClaims } from './auth/tokens.ts';
export { LOGGER, type Logger } from './telemetry/logger.ts';
export { METRICS, type MetricDeclaration, type Metrics } from './telemetry/metrics.ts';
export * from './telemetry/health.ts';
export {
  defineEvent,
  listen,
  EVENTS,
  type EventBus,
  type EventType,
  type Listener,
} from './events/events.ts';
export * from './egress/egress.ts';
export { withoutSecret } from './egress/without-secret.ts';
export { BACKENDS, type BackendClient, type BackendRequest } from './egress/backend.ts';
export * from './persistence/database.ts';
export { containing } from './persistence/like.ts';
export { createRollup, createRollupTable, type Rollup, type RollupDefinition } from './persistence/rollup.ts';
export { SIGNALS, type Signals } from './persistence/invalidation/signals.ts';
export type { Migration } from './persistence/migrations/migration.ts';
export * from './persistence/migrations/unfit-database.ts';
export * from './persistence/violations.ts';
export { Model } from './persistence/model.ts';
export {
  routesWith,
  reply,
  replyBytes,
  rawContent,
  Reply,
  type Route,
  type RouteInput,
  type RequestInfo,
  type FileLimits,
  type Method,
  type UploadedFile,
} from './http/routing/route.ts';
export { HTTP_MIDDLEWARES, type HttpMiddleware } from './http/middlewares.ts';
export { canBeSent } from './http/json/body.ts';
export { excessOf } from './http/json/excess.ts';
export { requestJson, type JsonLimits } from './http/json/limits.ts';
export { tagBytes, replyTagged, TAG_HEADERS, type TaggedBytes } from './http/tagged-bytes.ts';
export { API_DESCRIPTION, type ApiDescription } from './http/openapi/api-description.ts';
export {
  named,
  nullable,
  jsonObject,
  timestamp,
  MessageAnswer,
  PagingQuery,
} from './http/validation/schemas.ts';
export {
  definePlugin,
  step,
  command,
  API_VERSION,
  type PluginDefinition,
  type Command,
  type LifecycleStep,
} from './kernel/plugin.ts';
export { job, type Job, type JobRun } from './kernel/jobs/job.ts';
export { JOBS, type Jobs, type JobState } from './kernel/jobs/jobs.ts';
export { DATA_DIRECTORY } from './kernel/data-directory.ts';
export { INSTALLATION, type Installation, type InstalledPlugin } from './kernel/installation.ts';
export { START_NOTES, type StartNote } from './kernel/start-notes.ts';
/** The builder of JSON Schemas, so that a plugin needs no package but this one. */
export { default as Type, type Static, type TSchema } from 'typebox';
