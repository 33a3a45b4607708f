import type { Permission } from '../auth/permission.ts';
import type { Settings } from '../config/settings.ts';
import type { Contribution, Service } from '../di/service.ts';
import type { Dependencies, ExtensionPoint, Resolved } from '../di/token.ts';
import type { ProblemType } from '../errors/problem.ts';
import type { EventType, Listener } from '../events/events.ts';
import type { Route } from '../http/routing/route.ts';
import type { Transaction } from '../persistence/database.ts';
import type { Migration } from '../persistence/migrations/ledger.ts';
import type { DoctorCheck } from '../telemetry/doctor-check.ts';
import type { HealthCheck } from '../telemetry/health.ts';
import type { MetricDeclaration } from '../telemetry/metrics.ts';
import type { Job } from './jobs/job.ts';
import type { PluginPage, PluginView } from './pages/page.ts';

/** The version of this contract. Major: plugins must change; minor: additions; patch: wording only. */
export const API_VERSION = '1.0.0';

/** What a plugin does when it starts or stops. */
export interface LifecycleStep {
  readonly deps: Dependencies;
  readonly run: (deps: never) => void | Promise<void>;
}

/** Declares a step: `start: step({ cache: CACHE }, ({ cache }) => cache.warm())`. */
export function step<D extends Dependencies>(
  deps: D,
  run: (deps: Resolved<D>) => void | Promise<void>,
): LifecycleStep {
  return { deps, run: run as never };
}

/** An option of a command: `--username <name>`. */
export interface CommandOption {
  /** In the syntax of commander: `--username <name>` or `--yes`. */
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
}

/** An argument of a command, which is told by its position: `vitrine users show <name>`. It must be given. */
export interface CommandArgument {
  readonly name: string;
  readonly description: string;
}

interface CommandOf<D> {
  /** One word, or two for one of a group: `users list`. All commands of a group belong to one plugin. */
  readonly name: string;
  readonly summary: string;
  /** In order; `run` finds them among the options, by name. */
  readonly arguments?: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
  /** Whether it may be the first to run, and makes the database. Others are refused where there is none yet. */
  readonly makesInstallation?: boolean;
  /** Returns what to print: a sentence, and data for `--json`. Throw a `Problem` for bad input. */
  readonly run: (
    options: Readonly<Record<string, string | boolean | undefined>>,
    deps: D,
  ) => Promise<{ readonly message: string; readonly data: unknown }>;
}

/** A subcommand of `vitrine`. It runs on a booted kernel that does not listen. */
export type Command = CommandOf<never> & { readonly deps: Dependencies };

/** Declares a command of a plugin. */
export function command<D extends Dependencies>(
  definition: CommandOf<Resolved<D>> & { readonly deps: D },
): Command {
  return definition as unknown as Command;
}

/** What `vitrine backup`, `restore` and `move` must know of a plugin beyond its tables. */
export interface BackupPart {
  /** Folders of the data directory whose files belong to a backup, such as records that wait for the database. */
  readonly folders?: readonly string[];
  /**
   * Makes room for the rows of a table on PostgreSQL, such as partitions, before they are loaded. The keys are those of the
   * first and the last row; of a key with several columns, the value of the first. May run again.
   */
  readonly makeRoom?: (trx: Transaction, room: TableRoom) => Promise<void>;
}

/** A table, empty still, and the keys of the rows that come. */
export interface TableRoom {
  readonly table: string;
  readonly first: string;
  readonly last: string;
}

/** A plugin: a declarative value that the kernel can inspect without running any of its code. */
export interface PluginDefinition {
  /** Lower case with hyphens; the name of its folder, its section of the settings, its tables and its tokens. */
  readonly id: string;
  readonly version: string;
  /** The range of `API_VERSION` that the plugin supports: `^1.0`. */
  readonly api: string;
  /** One line. */
  readonly summary: string;
  /** Plugins that must be enabled; their contracts may be used. */
  readonly requires?: readonly string[];
  /** Plugins that may be absent; their tokens are used through `optional(…)`, their extension points as they are. */
  readonly optional?: readonly string[];
  readonly config?: Settings;
  readonly services?: readonly Service[];
  readonly routes?: readonly Route[];
  readonly migrations?: readonly Migration[];
  readonly backup?: BackupPart;
  readonly events?: { readonly emits?: readonly EventType[]; readonly listens?: readonly Listener[] };
  readonly opens?: readonly ExtensionPoint<unknown>[];
  readonly contributes?: readonly Contribution[];
  readonly problems?: readonly ProblemType[];
  readonly permissions?: readonly Permission[];
  readonly metrics?: readonly MetricDeclaration[];
  readonly health?: readonly HealthCheck[];
  /** What `vitrine doctor` checks. */
  readonly doctor?: readonly DoctorCheck[];
  readonly commands?: readonly Command[];
  /** Scheduled work, done once per installation, whatever its number of processes. */
  readonly jobs?: readonly Job[];
  /** What it adds to the console; without effect where the plugin `console` is off. */
  readonly pages?: readonly PluginPage[];
  /** Ways to show results of algorithms, for the console. */
  readonly views?: readonly PluginView[];
  /** The folder of the files that its pages and views load: `new URL('./pages/', import.meta.url)`. Anybody may read them. */
  readonly webFiles?: URL;
  /** Runs in boot order, after every service was created. */
  readonly start?: LifecycleStep;
  /** Runs in reverse order, with a deadline. */
  readonly stop?: LifecycleStep;
}

/** Declares a plugin; the default export of `plugin.ts`. */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return definition;
}
