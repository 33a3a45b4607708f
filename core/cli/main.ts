#!/usr/bin/env node
import { holdYoungGeneration } from './young-generation.ts';

holdYoungGeneration();
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
