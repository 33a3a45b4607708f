import { token } from '../../../core/index.ts';
import { unlessMissing, type Catalogue } from '../../catalogue/contract.ts';
import { DEFAULT_VERSION } from '../../invocation/contract.ts';
import type { VersionCircuits } from '../circuits/version-circuits.ts';
import type { Caller } from '../rules/caller.ts';
import { VersionRoute, type Draw } from './version-route.ts';
import type { RouteUpkeep } from './route-upkeep.ts';

/** The version that was chosen for a call. */
export interface Choice extends Draw {
  /** `undefined` when the algorithm has no route and its default version answers. */
  readonly route: VersionRoute | undefined;
}

type Whose = Pick<Caller, 'userId' | 'algorithmId'>;

export interface RoutingDeps {
  readonly circuits: VersionCircuits;
  readonly catalogue: Catalogue;
  readonly upkeep: RouteUpkeep;
}

/** Chooses the versions of calls: by the route of the algorithm, or its default version without a route. */
export class Routing {
  readonly #deps: RoutingDeps;

  constructor(deps: RoutingDeps) {
    this.#deps = deps;
  }

  /** Returns `undefined` for a call that gets the version it names, and when there is no version to choose. */
  choose(
    route: VersionRoute | undefined,
    caller: Whose,
    versionId: string,
  ): Promise<Choice | undefined> | undefined {
    if (route?.decides(versionId)) return this.#byRoute(route, caller);
    return versionId === DEFAULT_VERSION ? this.#byDefault(caller) : undefined;
  }

  async #byRoute(route: VersionRoute, caller: Whose): Promise<Choice | undefined> {
    const choice = this.#draw(route, caller);
    if (await this.#exists(caller.algorithmId, choice.versionId)) return choice;
    const rule = await this.#deps.upkeep.leaveOutDeleted(caller.algorithmId);
    return rule ? this.#draw(new VersionRoute(rule), caller) : this.#byDefault(caller);
  }

  #draw(route: VersionRoute, { userId }: Whose): Choice {
    const { circuits } = this.#deps;
    return { route, ...route.draw(userId, (id) => circuits.refusesUntil(id) === undefined) };
  }

  async #byDefault({ algorithmId }: Whose): Promise<Choice | undefined> {
    const found = await unlessMissing(this.#deps.catalogue.defaultCallable(algorithmId));
    return found && { route: undefined, versionId: found.version.id, insteadOf: undefined };
  }

  async #exists(algorithmId: string, versionId: string): Promise<boolean> {
    return (await unlessMissing(this.#deps.catalogue.callable(algorithmId, versionId))) !== undefined;
  }
}

/** A sentence that explains why a version was chosen. */
export function reasonOf({ route, versionId, insteadOf }: Choice): string {
  if (!route) return 'The algorithm has no route; this is its default version.';
  const { sticky } = route.rule;
  const percent = route.percentOf(versionId);
  if (insteadOf !== undefined) {
    return `The circuit of the version ${insteadOf} is open; its share goes to the others, and ${sticky ? 'this caller' : 'this draw'} to this one.`;
  }
  return sticky
    ? `The route gives ${percent} % of the callers this version, and this caller is one of them.`
    : `The route draws a version for each call. This one is drawn for ${percent} % of them; the next draw may be another.`;
}

export const ROUTING = token<Routing>('gateway:routing');
