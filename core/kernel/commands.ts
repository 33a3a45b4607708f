/** The commands of `vitrine` that the kernel provides; plugins add others. */
export const KERNEL_COMMANDS: readonly string[] = [
  'backup',
  'config',
  'doctor',
  'help',
  'jobs',
  'migrate',
  'move',
  'openapi',
  'plugin',
  'plugins',
  'restore',
  'start',
];
