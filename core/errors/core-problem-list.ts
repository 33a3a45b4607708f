import type { ProblemType } from './problem.ts';
import * as problems from './core-problems.ts';

/** All problems that the kernel itself may answer. */
export const coreProblems: readonly ProblemType[] = Object.values(problems);
