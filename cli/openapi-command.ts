import { describePlan } from '../core/kernel/description.ts';
import type { Plan } from '../core/kernel/plan.ts';
import type { Answer } from './output.ts';

/** `openapi`: the document; opens neither database nor server. */
export function describeApi(plan: Plan): Answer {
  return { message: '', data: describePlan(plan).document() };
}
