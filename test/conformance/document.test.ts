import { expect } from 'chai';
import { createApiDescription } from '../../core/http/openapi/document.ts';
import { builtInPlugins, documentGaps } from '../../core/testing.ts';
import type { PluginDefinition } from '../../core/index.ts';

describe('conformance: the document of all built-in plugins', () => {
  let plugins: readonly PluginDefinition[];
  let document: any;
  before(async () => {
    plugins = await builtInPlugins();
    const described = plugins.map(({ id, summary, routes = [], problems = [] }) => ({
      id,
      summary,
      routes,
      problems,
    }));
    document = createApiDescription({ basePath: '/api/v1', version: '1.0.0', plugins: described }).document();
  });

  it('has words for every operation, parameter and field, and examples that fit', () => {
    expect(plugins.flatMap(documentGaps)).to.deep.equal([]);
  });

  it('stays below 200 KB', () => {
    expect(JSON.stringify(document).length).to.be.below(200 * 1024);
  });

  it('has no field that is a fixed set without its values', () => {
    const texts: string[] = [];
    collectTexts(document.components.schemas, '', texts);
    expect(texts).to.deep.equal([]);
  });

  it('narrows a call record by its status', () => {
    const { oneOf, discriminator } = document.components.schemas.AlgorithmCallResult;
    expect(discriminator.propertyName).to.equal('status');
    expect(Object.values(discriminator.mapping)).to.deep.equal(oneOf.map(({ $ref }: any) => $ref));
    for (const [status, reference] of Object.entries<string>(discriminator.mapping)) {
      const { properties } = document.components.schemas[reference.split('/').at(-1)!];
      expect(properties.status.enum).to.deep.equal([status]);
    }
  });
});

const FIXED_SETS = ['status', 'error_code', 'code', 'permission_type', 'role', 'access', 'scopes', 'mode'];

/** Collects the places of fields with the name of a fixed set that are any text. */
function collectTexts(schema: unknown, place: string, found: string[]): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, member] of Object.entries(schema as Record<string, any>)) {
    const at = name === 'properties' ? place : `${place}/${name}`;
    const isText = member?.type === 'string' && member.enum === undefined;
    if (FIXED_SETS.includes(name) && isText) found.push(at);
    collectTexts(member, at, found);
  }
}
