import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Scratch } from '../../../core/testing.ts';
import { builtCommand } from '../../support/service-process.ts';
import { rowsIn } from './database.ts';

const BEGUN = "SELECT 1 FROM core_transfers WHERE name = 'invocation_calls'";

/** Kills a move when it has stored some of the records of calls; returns how many. */
export async function killedAmongCalls(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  target: Scratch,
): Promise<number> {
  const child = spawn(process.execPath, [builtCommand, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  // Neither the database nor the table need be there yet.
  const hasBegun = async (): Promise<boolean> => (await rowsIn(target, BEGUN).catch(() => [])).length > 0;
  while (child.exitCode === null && !(await hasBegun())) await pause(5);
  child.kill('SIGKILL');
  expect(await ended, 'killed before it was done').to.equal('SIGKILL');
  const [found] = await rowsIn(target, 'SELECT count(*) AS count FROM invocation_calls');
  return Number(found!['count']);
}
