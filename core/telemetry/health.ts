import { token, type Dependencies, type Resolved } from '../di/token.ts';

/** From best to worst: no fault; works with a fault; cannot work. */
export type HealthState = 'healthy' | 'degraded' | 'unhealthy';

/** The result of one check. */
export interface HealthFinding {
  readonly state: HealthState;
  /** A sentence for operators without secrets. */
  readonly detail?: string;
}

interface HealthCheckOf<D> {
  readonly name: string;
  readonly check: (deps: D) => HealthFinding | Promise<HealthFinding>;
}

/** A plugin's own health check. It must answer quickly and must not call algorithm endpoints. */
export type HealthCheck = HealthCheckOf<never> & { readonly deps: Dependencies };

/** Declares a health check of a plugin. */
export function healthCheck<D extends Dependencies>(
  definition: HealthCheckOf<Resolved<D>> & { readonly deps: D },
): HealthCheck {
  return definition as unknown as HealthCheck;
}

/** The results of all checks. */
export interface HealthReport {
  /** The worst state of all findings. */
  readonly state: HealthState;
  readonly findings: Readonly<Record<string, HealthFinding>>;
}

/** Runs the health checks of the database and of every plugin. */
export interface Health {
  report(): Promise<HealthReport>;
}

/** The health of the whole service. */
export const HEALTH = token<Health>('core:health');
