import type { PluginDefinition } from '../../kernel/plugin.ts';
import type { Route } from '../../http/routing/route.ts';
import { withDeadline } from '../../support/deadline.ts';
import type { TestKernel } from '../test-kernel.ts';

const LONGEST_ANSWER_MS = 5_000;
const UNANSWERED = 0;

/** Stands for every parameter of a path. */
const ANY_ID = 'any';

/** Asks each route without credentials: 401 where the access rule demands an account, and never a fault of the server. */
export async function accessFaults(kernel: TestKernel, plugin: PluginDefinition): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const route of plugin.routes ?? []) {
    const { access, method, path } = route;
    const { status } = await asked(kernel, route);
    if (status === UNANSWERED) {
      faults.push(
        `Plugin "${plugin.id}": ${method} ${path} does not answer within ${LONGEST_ANSWER_MS / 1000} s.`,
      );
      continue;
    }
    const isOpen = access === 'public' || access === 'anonymous';
    if (!isOpen && status !== 401) {
      const rule = typeof access === 'string' ? access : access.id;
      faults.push(
        `Plugin "${plugin.id}": ${method} ${path} answers ${status} without credentials, but its access rule is "${rule}".`,
      );
    } else if (status >= 500 && status !== 503) {
      faults.push(
        `Plugin "${plugin.id}": ${method} ${path} fails with ${status} for a request without credentials.`,
      );
    }
  }
  return faults;
}

/** The routes of a plugin that are still described or served although it is switched off. */
export async function routesLeft(kernel: TestKernel, plugin: PluginDefinition): Promise<readonly string[]> {
  const { body } = await kernel.request('GET', '/openapi.json');
  const described = JSON.stringify(body);
  const faults: string[] = [];
  for (const route of plugin.routes ?? []) {
    const { status } = await asked(kernel, route);
    const isServed = status !== 404 && status !== 405;
    const isDescribed = described.includes(`"operationId":"${route.operationId}"`);
    if (isServed || isDescribed) {
      faults.push(
        `Plugin "${plugin.id}": ${route.method} ${route.path} is still ${isServed ? 'served' : 'described'} while the plugin is switched off.`,
      );
    }
  }
  return faults;
}

function asked(kernel: TestKernel, { method, path, atRoot }: Route): Promise<{ readonly status: number }> {
  const base = atRoot ? kernel.rootUrl : kernel.baseUrl;
  const answer: Promise<{ readonly status: number }> = kernel.request(
    method,
    base + path.replaceAll(/\{[^}]+\}/g, ANY_ID),
  );
  return withDeadline(LONGEST_ANSWER_MS, answer, () => ({ status: UNANSWERED }));
}
