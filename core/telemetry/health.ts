import { token, type Dependencies, type Resolved } from '../di/token.ts';

/** From good to bad: all is well; it serves, but something is amiss; it cannot do its work. */
export type HealthState = 'healthy' | 'degraded' | 'unhealthy';

/** What one check found. */
export interface HealthFinding {
  readonly state: HealthState;
  /** A sentence for operators; no secrets. */
  readonly detail?: string;
}

/** A plugin's own health check. It must answer quickly and must not call algorithm endpoints. */
export interface HealthCheck {
  readonly name: string;
  readonly deps: Dependencies;
  readonly check: (deps: never) => HealthFinding | Promise<HealthFinding>;
}

/** Declares a health check of a plugin. */
export function healthCheck<D extends Dependencies>(definition: {
  readonly name: string;
  readonly deps: D;
  readonly check: (deps: Resolved<D>) => HealthFinding | Promise<HealthFinding>;
}): HealthCheck {
  return definition as unknown as HealthCheck;
}

/** What all checks found. */
export interface HealthReport {
  /** The worst of all findings. */
  readonly state: HealthState;
  readonly findings: Readonly<Record<string, HealthFinding>>;
}

/** Asks the database and every plugin's check. */
export interface Health {
  report(): Promise<HealthReport>;
}

/** The health of the whole service. */
export const HEALTH = token<Health>('core:health');
