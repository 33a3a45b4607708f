import { Command as Commander } from 'commander';
import type { Plan } from '../core/kernel/plan.ts';
import type { Command } from '../core/kernel/plugin.ts';
import { onKernel } from './on-kernel.ts';
import { print } from './output.ts';

/**
 * The subcommands that plugins contribute; each runs on a booted kernel that does not listen, and reports wrong usage as
 * `program` does.
 */
export function contributedCommands(plan: Plan, json: boolean, program: Commander): readonly Commander[] {
  const made: Commander[] = [];
  const groups = new Map<string, Commander>();
  for (const { id, summary, commands = [] } of plan.plugins.map(({ definition }) => definition)) {
    for (const command of commands) {
      const [first, second] = command.name.split(' ') as [string, string?];
      const one = asCommander(plan, id, second ?? first, command, json).copyInheritedSettings(program);
      if (second === undefined) {
        made.push(one);
        continue;
      }
      const known = groups.get(first);
      const group = known ?? new Commander(first).description(summary).copyInheritedSettings(program);
      group.addCommand(one);
      groups.set(first, group);
      if (!known) made.push(group);
    }
  }
  return made;
}

function asCommander(plan: Plan, plugin: string, name: string, command: Command, json: boolean): Commander {
  const { summary, arguments: words = [], options, makesInstallation } = command;
  const made = new Commander(name).description(summary);
  for (const word of words) made.argument(`<${word.name}>`, word.description);
  for (const { flags, description, required } of options) {
    if (required) made.requiredOption(flags, description);
    else made.option(flags, description);
  }
  return made.option('--json', 'answer as JSON').action(async () => {
    const given = Object.fromEntries(words.map((word, index) => [word.name, made.args[index]]));
    const answer = await onKernel(
      plan,
      (kernel) => command.run({ ...made.opts(), ...given }, kernel.resolve(plugin, command.deps) as never),
      { makesInstallation },
    );
    print(answer, json);
  });
}
