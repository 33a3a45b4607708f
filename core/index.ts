/**
 * The contract of the kernel with plugins; a plugin may import nothing else of the kernel. Types that are not exported can
 * be derived from exported names: `ServiceOf<typeof TRACER>`, `UserPrincipal['role']`.
 */
// Failures
export { problem, Problem } from './errors/problem.ts';
export {
  EgressDenied,
  Forbidden,
  InvalidCredentials,
  NotReady,
  Overloaded,
  RouteNotFound,
  StoreUnavailable,
  ValidationFailed,
} from './errors/core-problems.ts';
export { StartupError } from './errors/startup-error.ts';
// A plugin and what it is made of
export { definePlugin, step, command } from './kernel/plugin.ts';
export { job } from './kernel/jobs/job.ts';
export { page } from './kernel/pages/page.ts';
export { INSTALLATION } from './kernel/installation.ts';
export { START_NOTES } from './kernel/start-notes.ts';
export { DATA_DIRECTORY } from './kernel/data-directory.ts';
export { token, optional, extensionPoint, type ServiceOf } from './di/token.ts';
export { service, contribute } from './di/service.ts';
export { setting, defineSettings, type SettingsOf } from './config/settings.ts';
export { defineEvent, listen, EVENTS, type EventBus } from './events/events.ts';
// Access
export type { Principal, UserPrincipal } from './auth/principal.ts';
export { SCOPES } from './auth/scope.ts';
export { demandScope } from './auth/authorise.ts';
export { CREDENTIAL_VERIFIERS, type CredentialSource, type CredentialVerifier } from './auth/verifier.ts';
export { definePermission, PERMISSION_DECIDERS } from './auth/permission.ts';
export { TOKEN_ISSUER } from './auth/token-issuer.ts';
export { VAULT, type Vault } from './auth/vault.ts';
// The audit trail
export { AUDIT, AUDIT_SINKS, type Audit } from './audit/audit.ts';
export { authorOf, type Author } from './audit/author.ts';
// HTTP
export { routesWith, reply, replyBytes, rawContent, Reply } from './http/routing/route.ts';
export { HTTP_MIDDLEWARES } from './http/middlewares.ts';
export { canBeSent } from './http/json/body.ts';
export { excessOf } from './http/json/excess.ts';
export { tagBytes } from './http/tagged-bytes.ts';
export { cursorOf, idIn } from './http/cursor.ts';
export { dateRange } from './http/date-range.ts';
export { ExportFormat, exportReply } from './http/export.ts';
export { API_DESCRIPTION } from './http/openapi/api-description.ts';
export {
  named,
  nullable,
  jsonObject,
  timestamp,
  MessageAnswer,
  PagingQuery,
} from './http/validation/schemas.ts';
/** The builder of JSON Schemas, so that a plugin needs no package but this one; `Type.Static<…>` is the type of a schema. */
export { default as Type } from 'typebox';
// Database
export {
  DATABASE,
  type BatchInsert,
  type Connection,
  type Database,
  type Engine,
  type PreparedRead,
  type SqlValue,
  type Transaction,
} from './persistence/database.ts';
export { containing } from './persistence/like.ts';
export { defineRollup, type Rollup } from './persistence/rollup.ts';
export { INVALIDATION, type Invalidation } from './persistence/invalidation/invalidation.ts';
export type { Migration } from './persistence/migrations/ledger.ts';
export { UnfitDatabase } from './persistence/violations.ts';
export { UniqueViolation } from './persistence/violations.ts';
export { Model } from './persistence/model.ts';
// Outgoing requests
export { EGRESS, OutboundError, type Egress, type OutboundResponse } from './egress/egress.ts';
export { BACKENDS, type BackendClient } from './egress/backend.ts';
export { withoutSecret } from './egress/without-secret.ts';
// Operation
export { LOGGER, type Logger } from './telemetry/logger.ts';
export { METRICS, type MetricDeclaration, type Metrics } from './telemetry/metrics.ts';
export { TRACER } from './telemetry/tracing.ts';
export { HEALTH, healthCheck } from './telemetry/health.ts';
export { doctorCheck } from './telemetry/doctor-check.ts';
// Small tools
export { CLOCK } from './di/clock-token.ts';
export { DAY_MS, isoDay, isoTime, type Clock } from './support/clock.ts';
export { storableTime } from './support/date-time.ts';
export { folded } from './support/fold.ts';
export { newId, isId, lowestIdAt, timeOfId, randomSecret } from './support/ids.ts';
export { networkMatcher } from './support/networks.ts';
export { Bulkhead } from './support/bulkhead.ts';
export { withDeadline } from './support/deadline.ts';
export { workerEntry } from './support/worker-thread.ts';
