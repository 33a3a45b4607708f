import type { MetricDeclaration } from '../../core/index.ts';

export const refusalsTotal: MetricDeclaration = {
  kind: 'counter',
  name: 'gateway_refusals_total',
  help: 'Requests that the gateway refused.',
  labels: ['code'],
};

export const circuitsOpened: MetricDeclaration = {
  kind: 'counter',
  name: 'gateway_circuits_opened_total',
  help: 'Times that the circuit of an endpoint opened.',
};

export const routeChanges: MetricDeclaration = {
  kind: 'counter',
  name: 'gateway_route_changes_total',
  help: 'Changes of routes; taken_back: a canary that failed too often.',
  labels: ['action'],
};

export const metrics: readonly MetricDeclaration[] = [refusalsTotal, circuitsOpened, routeChanges];
