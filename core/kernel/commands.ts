/** The commands of `vitrine` that the kernel provides; plugins add others. */
export const KERNEL_COMMANDS: readonly string[] = [
  'config',
  'doctor',
  'help',
  'jobs',
  'migrate',
  'openapi',
  'plugins',
  'start',
];
