import type { Plan } from '../../core/kernel/plan.ts';
import { systemClock } from '../../core/support/clock.ts';
import type { DoctorState } from '../../core/telemetry/doctor-check.ts';
import { examine, type NamedFinding } from './examine.ts';
import type { Answer } from '../output.ts';

/** What `doctor` found; `data.ok` is false where something must be mended. */
interface Diagnosis extends Answer {
  readonly data: { readonly ok: boolean; readonly findings: readonly NamedFinding[] };
}

const MARKS: Readonly<Record<DoctorState, string>> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };

/** `doctor`: examines the installation, beside a running service too. With `strict`, warnings count as faults. */
export async function diagnose(makePlan: () => Promise<Plan>, strict: boolean): Promise<Diagnosis> {
  const findings = await examine(makePlan, systemClock);
  const count = (wanted: DoctorState) => findings.filter(({ state }) => state === wanted).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const lines = findings.map(({ state, check, message, mend }) => {
    const line = `${MARKS[state]}  ${check}: ${message}`;
    return mend === undefined ? line : `${line}\n         Fix: ${mend}`;
  });
  const sum = `${counted(findings.length, 'finding')}: ${counted(faults, 'fault')}, ${counted(warnings, 'warning')}.`;
  return {
    message: [...lines, '', sum].join('\n'),
    data: { ok: faults === 0 && (!strict || warnings === 0), findings },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
