/** The commands of `vitrine` that are the kernel's own; plugins add others. */
export const KERNEL_COMMANDS: readonly string[] = [
  'config',
  'help',
  'migrate',
  'openapi',
  'plugins',
  'start',
];
