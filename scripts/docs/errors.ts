import { coreProblems } from '../../core/errors/core-problem-list.ts';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import type { ProblemType } from '../../core/errors/problem.ts';

const HEAD = `# Errors

This page is made from the code. An answer that is not a success is a problem document (RFC 9457,
\`application/problem+json\`): \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, and the members \`code\`,
\`request_id\` and, where fields are to blame, \`errors: [{pointer, message}]\`. Programs should look at \`code\`; it is
stable. A failed algorithm is not an error: it is a call record with \`status: failed\` and an \`error_code\`.`;

/** The text of \`docs/errors.md\`: every problem of the kernel and of the given plugins. */
export function renderErrors(plugins: readonly PluginDefinition[]): string {
  const parts = [
    section('kernel', coreProblems),
    ...plugins
      .filter(({ problems }) => problems !== undefined && problems.length > 0)
      .map(({ id, problems }) => section(id, problems ?? [])),
  ];
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

function section(owner: string, problems: readonly ProblemType[]): string {
  const rows = problems
    .toSorted((one, other) => one.status - other.status || one.code.localeCompare(other.code))
    .map(
      ({ code, status, title, description }) =>
        `| ${status} | \`${code}\` | ${title} | ${escaped(description)} |`,
    );
  return [
    `## ${owner}`,
    '',
    '| Status | Code | Title | When, and what to do |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
