/** The commands of `vitrine` that are the kernel's own; plugins add others. */
export const KERNEL_COMMANDS: readonly string[] = [
  'config',
  'help',
  'jobs',
  'migrate',
  'openapi',
  'plugins',
  'start',
];
