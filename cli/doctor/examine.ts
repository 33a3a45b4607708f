import { resolve } from 'node:path';
import { JwtSettings, SecretsSettings } from '../../core/auth/settings.ts';
import { createBackendClient } from '../../core/egress/create-backend-client.ts';
import { isOpenToOthers } from '../../core/config/open-to-others.ts';
import { createEgress } from '../../core/egress/create-egress.ts';
import { EgressSettings } from '../../core/egress/settings.ts';
import { StoreUnavailable } from '../../core/errors/core-problems.ts';
import { StartupError } from '../../core/errors/startup-error.ts';
import { publicAddress } from '../../core/http/public-url.ts';
import { ServerSettings } from '../../core/http/server-settings.ts';
import { openPlanDatabase, planLocation } from '../../core/kernel/core-services.ts';
import { migrationsOf } from '../../core/kernel/migrations.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { DataSettings } from '../../core/kernel/settings.ts';
import type { OpenDatabase } from '../../core/persistence/kernel-database.ts';
import { missingFile, type DatabaseLocation } from '../../core/persistence/location.ts';
import { migrationStatus, type MigrationStatus } from '../../core/persistence/migrations/status.ts';
import type { Clock } from '../../core/support/clock.ts';
import { withDeadline } from '../../core/support/deadline.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';
import { receiverOf, TracingSettings } from '../../core/telemetry/tracing-settings.ts';
import { createLogger } from '../../core/telemetry/pino-logger.ts';
import { checkConfiguration } from '../config-commands.ts';
import { publicUrlFindings } from './certificate.ts';
import {
  databaseClockFindings,
  integrityFindings,
  migrationFindings,
  occupancyFindings,
  sizeFindings,
  transferFindings,
} from './database.ts';
import { dataDirectoryFindings } from './data-directory.ts';
import { clockFindings, nativeModuleFindings, nodeFindings } from './machine.ts';
import { secretFindings } from './secrets.ts';
import { traceReceiverFindings } from './trace-receiver.ts';
import { existingVault } from './existing-vault.ts';
import { pluginChecks, type BoundDoctorCheck } from './plugin-checks.ts';

/** A finding, and the check that found it: `<plugin>:<check>`. */
export type NamedFinding = DoctorFinding & { readonly check: string };

const CHECK_MS = 30_000;
/** Nothing is logged: the findings say it. */
const logger = createLogger({ level: 'silent' });

/** Runs every check that can run, one after the other. No fault of the installation makes it reject. */
export async function examine(makePlan: () => Promise<Plan>, clock: Clock): Promise<readonly NamedFinding[]> {
  const machine = await runAll([
    { name: 'core:node', check: () => nodeFindings() },
    { name: 'core:native-modules', check: () => nativeModuleFindings() },
    { name: 'core:clock', check: () => clockFindings(clock) },
  ]);
  let plan: Plan | undefined;
  const settings = await runAll([
    {
      name: 'core:settings',
      check: async () => {
        const { message, data } = await checkConfiguration(async () => (plan = await makePlan()));
        return [
          data.ok ? { state: 'ok', message } : { state: 'fault', message, mend: 'vitrine config check' },
        ];
      },
    },
  ]);
  return [...machine, ...settings, ...(plan ? await examinePlan(plan, clock) : [])];
}

async function examinePlan(plan: Plan, clock: Clock): Promise<readonly NamedFinding[]> {
  const { configuration } = plan;
  const dataDir = resolve(configuration.valuesOf(DataSettings).dir);
  const location = planLocation(plan);
  const egress = createEgress(configuration.valuesOf(EgressSettings));
  const backends = createBackendClient();
  const secrets = configuration.valuesOf(SecretsSettings);
  const vault = existingVault(secrets, dataDir);
  const receiver = receiverOf(configuration.valuesOf(TracingSettings));
  const publicUrl = publicAddress(configuration.valuesOf(ServerSettings));
  const around = await runAll([
    { name: 'core:plugins', check: () => installedFindings(plan) },
    { name: 'core:secret-files', check: () => secretFileFindings(configuration.secretFiles()) },
    {
      name: 'core:secrets',
      check: () => secretFindings(configuration.valuesOf(JwtSettings), secrets, dataDir),
    },
    { name: 'core:data-directory', check: () => dataDirectoryFindings(dataDir) },
    { name: 'core:processes', check: () => occupancyFindings(location) },
    { name: 'core:public-url', check: () => publicUrlFindings(publicUrl, backends, clock.now()) },
    { name: 'core:traces', check: () => traceReceiverFindings(receiver, backends) },
  ]);
  const { database, findings } = await reach(plan, location, clock);
  try {
    let status: readonly MigrationStatus[] = [];
    const ofDatabase = database
      ? await runAll([
          { name: 'core:integrity', check: () => integrityFindings(database) },
          { name: 'core:transfer', check: () => transferFindings(database) },
          {
            name: 'core:migrations',
            check: async () =>
              migrationFindings((status = await migrationStatus(database, migrationsOf(plan)))),
          },
          { name: 'core:database-size', check: () => sizeFindings(database, location) },
          { name: 'core:database-clock', check: () => databaseClockFindings(database, clock) },
        ])
      : [];
    const tools = { clock, egress, backends, vault, dataDir, database, status };
    return [...around, ...findings, ...ofDatabase, ...(await runAll(pluginChecks(plan, tools)))];
  } finally {
    await Promise.all([egress.close(), backends.close(), database?.close()]);
  }
}

function installedFindings({ plugins, leftOut }: Plan): DoctorFinding[] {
  const versions = plugins.map(({ definition: { id, version } }) => `${id} ${version}`).join(', ');
  return [
    { state: 'ok', message: `Plugins: ${versions}.` },
    ...leftOut.map(({ id, why }) => ({
      state: 'fault' as const,
      message: `The plugin "${id}" is left out: ${why}`,
      mend: 'vitrine plugins list',
    })),
  ];
}

function secretFileFindings(files: readonly string[]): DoctorFinding[] {
  const open = files.filter(isOpenToOthers);
  if (open.length === 0)
    return [{ state: 'ok', message: 'No file with secrets of the settings may be read by every user.' }];
  return open.map((file) => ({
    state: 'warning',
    message: `Every user of this machine may read the secrets in ${file}.`,
    mend: `chmod 600 ${file}`,
  }));
}

interface Reached {
  readonly database?: OpenDatabase;
  readonly findings: readonly NamedFinding[];
}

/** Opens the database; makes none. */
async function reach(plan: Plan, location: DatabaseLocation, clock: Clock): Promise<Reached> {
  const found = (finding: DoctorFinding): readonly NamedFinding[] => [{ check: 'core:database', ...finding }];
  const missing = missingFile(location);
  if (missing !== undefined) {
    const message = `There is no database at ${missing} yet; the start makes it.`;
    return { findings: found({ state: 'warning', message, mend: 'vitrine migrate up' }) };
  }
  try {
    const database = await openPlanDatabase(plan, { clock, logger });
    return {
      database,
      findings: found({ state: 'ok', message: `The database answers: ${database.description}.` }),
    };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return {
      findings: found({
        state: 'fault',
        message: error.message,
        mend: 'Start the database or correct DATABASE_URL; docs/deployment.md, "When it does not start", has each case.',
      }),
    };
  }
}

async function runAll(checks: readonly BoundDoctorCheck[]): Promise<readonly NamedFinding[]> {
  const all: NamedFinding[] = [];
  for (const { name, check } of checks) {
    const findings = await withDeadline(CHECK_MS, outcomeOf(check), () => [
      {
        state: 'warning' as const,
        message: `The check did not end within ${CHECK_MS / 1000} s.`,
        mend: 'Run `vitrine doctor` again while the machine and its disks have less to do.',
      },
    ]);
    all.push(...findings.map((finding) => ({ check: name, ...finding })));
  }
  return all;
}

async function outcomeOf(check: BoundDoctorCheck['check']): Promise<readonly DoctorFinding[]> {
  try {
    return await check();
  } catch (error) {
    const message = `The check failed: ${(error as Error).message}`;
    const mend = StoreUnavailable.is(error)
      ? 'Mend what core:database and core:integrity say first.'
      : 'Report this message to the authors of the check.';
    return [{ state: 'fault', message, mend }];
  }
}
