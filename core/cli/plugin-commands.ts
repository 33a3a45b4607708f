import { Command as Commander } from 'commander';
import type { Plan } from '../kernel/plan.ts';
import type { Command } from '../kernel/plugin.ts';
import { onKernel } from './on-kernel.ts';
import { print } from './output.ts';

/** The subcommands that plugins contribute; each runs on a booted kernel that does not listen. */
export function pluginCommands(plan: Plan, json: boolean): readonly Commander[] {
  return plan.plugins.flatMap(({ definition: { id, commands = [] } }) =>
    commands.map((command) => asCommander(plan, id, command, json)),
  );
}

function asCommander(plan: Plan, plugin: string, command: Command, json: boolean): Commander {
  const made = new Commander(command.name).description(command.summary).exitOverride();
  for (const { flags, description, required } of command.options) {
    if (required) made.requiredOption(flags, description);
    else made.option(flags, description);
  }
  return made.option('--json', 'answer as JSON').action(async (options: Record<string, string | boolean>) => {
    const answer = await onKernel(plan, (kernel) =>
      command.run(options, kernel.resolve(plugin, command.deps) as never),
    );
    print(answer, json);
  });
}
