/** The second entry of the kernel, for tests of built-in and external plugins. Works with any test runner. */
export { startTestKernel, type TestKernel, type TestKernelOptions } from './testing/test-kernel.ts';
export { onEveryEngine, engines } from './testing/engines.ts';
export { documentGaps } from './http/openapi/gaps.ts';
export { builtInPlugins } from './kernel/loading.ts';
export { lockFaults, migrationLock, tableFaults, type MigrationLock } from './testing/migration-kit.ts';
export type { PluginTables } from './testing/inspected-steps.ts';
export { pluginFaults, type PluginCheck } from './testing/plugin-check/plugin-faults.ts';
export { makeScratch, type Scratch } from './testing/scratch.ts';
export { systemClock } from './support/clock.ts';
export type { SignedInClient, TestAccount } from './testing/sign-in.ts';
export type { TestRequest, TestResponse } from './testing/test-client.ts';
