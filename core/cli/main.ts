#!/usr/bin/env node
import { holdYoungGeneration, keepCallsInYoungGeneration } from './garbage.ts';

holdYoungGeneration();
keepCallsInYoungGeneration();
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
