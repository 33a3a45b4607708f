#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { printed } from './output.ts';

/** For the process to end by itself, after the last line of the log was written. */
const ENDS_WITHIN_MS = 1_000;

process.exitCode = await runCommandLine(process.argv.slice(2));
await printed();
// What is left running, such as a timer of a plugin that could not start, must not keep the process alive.
setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
