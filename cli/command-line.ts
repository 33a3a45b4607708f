import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { Problem } from '../core/errors/problem.ts';
import { StartupError } from '../core/errors/startup-error.ts';
import { describePlan } from '../core/kernel/description.ts';
import { findPlugins, makePlan, type Plan } from '../core/kernel/plan.ts';
import type { Engine } from '../core/persistence/database.ts';
import { packageVersion } from '../core/support/package-root.ts';
import { logWritten } from '../core/telemetry/pino-logger.ts';
import { checkConfiguration, printConfiguration } from './config-commands.ts';
import { contributedCommands } from './contributed-commands.ts';
import { diagnose } from './doctor/doctor-command.ts';
import { listJobs, runJob } from './job-commands.ts';
import { migrateUp, migrationState } from './migrate-commands.ts';
import { ignoreClosedPipes, print, printFailure, type Answer } from './output.ts';
import { hashPlugin, listPlugins } from './plugins/installed-plugins.ts';
import { serve } from './start/start-command.ts';
import { addTransferCommands } from './transfer/transfer-commands.ts';

type Action = (plan: Plan) => Promise<Answer> | Answer;
type Planning = () => Promise<Plan>;

const OK = 0;
const FAILED = 1;
const MISUSED = 2;

const surroundings = { env: process.env, cwd: process.cwd() };

/**
 * Runs `vitrine` with arguments and returns the exit code: 0 success, 1 failure, 2 wrong usage. The plan, which loads the
 * code of plugins, is made only for commands that need it and for unknown ones, because plugins contribute commands. When
 * it cannot be made, `--help` still works and every command reports why.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  const json = args.includes('--json');
  const program = new Commander('vitrine')
    .description('A self-hosted showcase of algorithms.')
    .version(packageVersion(), '-v, --version')
    .exitOverride()
    .configureOutput({ outputError: (text) => printFailure(text.trim(), json) });
  addCoreCommands(program, json, () => makePlan(surroundings));
  const ownNames = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  const planned = ownNames.includes(args[0] ?? '') ? undefined : await tryPlan();
  if (planned && !(planned instanceof Error))
    for (const command of contributedCommands(planned, json, program)) program.addCommand(command);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return OK;
  } catch (error) {
    // The reason comes last, after the lines of the log.
    await logWritten();
    // An unknown command may belong to a plugin that could not be loaded, so report that.
    const unknown = error instanceof CommanderError && error.code === 'commander.unknownCommand';
    return failure(unknown && planned instanceof Error ? planned : error, json);
  }
}

async function tryPlan(): Promise<Plan | Error> {
  try {
    return await makePlan(surroundings);
  } catch (error) {
    return error as Error;
  }
}

function addCoreCommands(program: Commander, json: boolean, plan: Planning): void {
  const machine = (command: Commander): Commander => command.option('--json', 'answer as JSON');
  const withPlan = (action: Action) => async () => print(await action(await plan()), json);
  program
    .command('start')
    .description('start the service and serve until SIGTERM, SIGINT or SIGHUP')
    .option(
      '--workers <count>',
      'processes that share the port; more than one needs PostgreSQL',
      workerCount,
      1,
    )
    .action(async ({ workers }: { workers: number }) => serve(await plan(), workers));
  const migrate = program.command('migrate').description('show and apply the migrations of the plugins');
  machine(migrate.command('status').description('what was applied and what is pending')).action(
    withPlan(migrationState),
  );
  machine(migrate.command('up').description('apply what is pending')).action(withPlan(migrateUp));
  addTransferCommands(program, json, plan);
  const plugins = program
    .command('plugins')
    .alias('plugin')
    .description('look at what is installed, and write plugins of your own');
  machine(plugins.command('list').description('every plugin found, switched on or off')).action(
    withPlan(listPlugins),
  );
  machine(plugins.command('hash').description('what approves the code of a plugin in plugins.integrity'))
    .argument('<id>', 'a plugin from outside, switched on or off; its code is not loaded')
    .action(async (id: string) => print(hashPlugin(await findPlugins(surroundings), id), json));
  addAuthorCommands(plugins, machine, json, plan);
  const jobs = program.command('jobs').description('look at scheduled work and run it');
  machine(jobs.command('list').description('every job, when it is due, and how its last run ended')).action(
    withPlan(listJobs),
  );
  machine(jobs.command('run').description('run a job now, due or not'))
    .argument('<id>', 'as `vitrine jobs list` shows it: <plugin>:<name>')
    .action(async (id: string) => print(await runJob(await plan(), id), json));
  const config = program.command('config').description('look at the settings');
  machine(config.command('check').description('check every layer of the settings')).action(async () => {
    const { message, data } = await checkConfiguration(plan);
    if (data.ok || json) print({ message, data }, json);
    else printFailure(message, json);
    if (!data.ok) throw new FaultsPrinted();
  });
  machine(config.command('print').description('print the effective settings, secrets masked')).action(
    withPlan(printConfiguration),
  );
  machine(program.command('doctor').description('examine the installation, and say what mends each fault'))
    .option('--strict', 'warnings fail the command too')
    .action(async ({ strict = false }: { strict?: boolean }) => {
      const answer = await diagnose(plan, strict);
      print(answer, json);
      if (!answer.data.ok) throw new FaultsPrinted();
    });
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of what is enabled')
    .option('--json', 'JSON, which it is anyway')
    .action(async () => print({ message: '', data: describePlan(await plan()).document() }, true));
}

/** What authors of plugins use. Loaded when it is used, since it has what only tests need. */
function addAuthorCommands(
  plugins: Commander,
  machine: (command: Commander) => Commander,
  json: boolean,
  plan: Planning,
): void {
  machine(plugins.command('new').description('make a plugin to begin with, with tests that pass'))
    .argument('<id>', 'its name: lower-case words with hyphens')
    .option('--into <folder>', 'where to make it; the folder ends in the id (default: ./<id>)')
    .action(async (id: string, { into }: { into?: string }) => {
      const { makePlugin } = await import('./plugins/new-plugin.ts');
      print(makePlugin(id, into), json);
    });
  machine(
    plugins.command('check').description('check a plugin by the conformance kit, on temporary databases'),
  )
    .argument('<id>', 'a plugin that is switched on')
    .addOption(new Option('--engine <engine>', 'only one database engine').choices(['sqlite', 'postgres']))
    .action(async (id: string, { engine }: { engine?: Engine }) => {
      const { checkPlugin } = await import('./plugins/check-plugin.ts');
      const answer = await checkPlugin(await plan(), id, engine ? [engine] : ['sqlite', 'postgres']);
      print(answer, json);
      if (!answer.data.ok) throw new FaultsPrinted();
    });
}

function workerCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new InvalidArgumentError('It must be a whole number from 1 to 256.');
}

/** Ends a command whose answer was that something is wrong. */
class FaultsPrinted extends Error {}

function failure(error: unknown, json: boolean): number {
  if (error instanceof FaultsPrinted) return FAILED;
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : MISUSED;
  if (error instanceof StartupError) printFailure(error.message, json, error.findings);
  else if (error instanceof Problem) printFailure(error.message, json);
  else printFailure(`Unexpected: ${error instanceof Error ? error.stack : String(error)}`, json);
  return FAILED;
}
