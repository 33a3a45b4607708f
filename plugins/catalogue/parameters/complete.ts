import type { CallableVersion, ParameterSpec, SchemaFinding } from '../contract.ts';
import { pointerTo } from '../schema/json.ts';
import { typeNamed } from './types.ts';
import { brokenValue } from './value.ts';

type Params = Readonly<Record<string, unknown>>;

function unknownParameters(given: Params, specs: Readonly<Record<string, ParameterSpec>>): SchemaFinding[] {
  const known = Object.keys(specs).join(', ');
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(specs, name))
    .slice(0, 20)
    .map((name) => ({
      pointer: pointerTo(name),
      message: `is not a parameter of this version; it has ${known}.`,
    }));
}

/** Null is no value of a parameter whose type or values do not have it. */
function isGiven(value: unknown, { type, enum: allowed }: ParameterSpec): boolean {
  if (value !== null) return value !== undefined;
  if (allowed) return allowed.includes(null);
  return type === undefined || typeNamed(type) === 'null';
}

/** A default of null counts as none. */
function hasDefault(spec: ParameterSpec): boolean {
  return spec.default !== undefined && spec.default !== null;
}

/**
 * Fills in defaults and checks values. A version that describes no parameters accepts any. A parameter without a value
 * and a default is left out, because only the endpoint knows whether it needs it.
 */
export function completing(
  specs: Readonly<Record<string, ParameterSpec>> | null,
): CallableVersion['completeParams'] {
  if (specs === null) return (given) => ({ params: given, findings: [] });
  const described = Object.entries(specs);
  return (given) => {
    const findings = unknownParameters(given, specs);
    const params: Record<string, unknown> = {};
    for (const [name, spec] of described) {
      if (!Object.hasOwn(given, name) || !isGiven(given[name], spec)) {
        if (hasDefault(spec)) params[name] = structuredClone(spec.default);
        continue;
      }
      params[name] = given[name];
      const message = brokenValue(given[name], spec);
      if (message !== undefined) findings.push({ pointer: pointerTo(name), message });
    }
    return { params, findings };
  };
}
