import { expect } from 'chai';
import { createApiDescription } from '../../core/http/openapi/document.ts';
import { builtInPlugins, documentGaps } from '../../core/testing.ts';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';

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

  it('names no operation that does not exist', () => {
    const operations = new Set(
      plugins.flatMap(({ routes = [] }) => routes.map(({ operationId }) => operationId)),
    );
    const verbOf = (name: string) => /^[a-z]+/.exec(name)![0];
    const verbs = new Set([...operations].map(verbOf));
    const problems = plugins.flatMap((plugin) => plugin.problems ?? []).map(({ description }) => description);
    const named = Array.from(
      JSON.stringify([document, problems]).matchAll(/`([a-z]+[A-Z]\w*)`/g),
      ([, name]) => name!,
    );
    expect(named).to.include('getRegistration');
    const unknown = named.filter((name) => verbs.has(verbOf(name)) && !operations.has(name));
    expect(unknown).to.deep.equal([]);
  });

  describe('shows answers that agree with their descriptions:', () => {
    const shown = (method: string, path: string): any => {
      const declared = document.paths[path][method].responses[200];
      const answer = declared.$ref
        ? document.components.responses[declared.$ref.split('/').at(-1)]
        : declared;
      const { example, examples } = answer.content['application/json'];
      const [named] = Object.values<any>(examples ?? {});
      return example ?? named.value ?? document.components.examples[named.$ref.split('/').at(-1)].value;
    };

    it('a call that is allowed meets no refusal', () => {
      expect(shown('post', '/gateway/check')).to.include({
        allowed: true,
        code: null,
        reason: null,
        rule: null,
        clears_at: null,
      });
    });

    it('a new API key is whole, unused and ends after it was created; a listed one is masked', () => {
      const made = shown('post', '/api-keys');
      expect(made.key).to.match(/^vk_[0-9A-Za-z]{49}$/);
      expect(made.last_used_at).to.equal(null);
      expect(made.expires_at > made.created_at).to.equal(true);
      expect(shown('get', '/api-keys')[0].key).to.match(/…/);
    });

    it('an algorithm has its versions where it is shown alone, and none in lists and when it is new', () => {
      expect(shown('get', '/algorithms').algorithms[0].versions).to.deep.equal([]);
      expect(shown('post', '/algorithms').versions).to.deep.equal([]);
      expect(shown('get', '/algorithms/{algorithm_id}').versions).to.have.length(1);
    });

    it('a payload policy that was set names who set it', () => {
      const policy = shown('put', '/algorithms/{algorithm_id}/payload-policy');
      expect(policy.input_data).to.deep.equal({ mode: 'redact', pointers: ['/text'] });
      expect(policy.updated_by).to.be.a('string');
    });

    it('an active block did not end when it was created', () => {
      expect(shown('post', '/gateway/blocks')).to.include({ active: true, until: null });
    });

    it('a rule of rollback has usual figures', () => {
      expect(shown('get', '/gateway/routes/{algorithm_id}').rollback).to.deep.equal({
        max_failure_percent: 5,
        min_calls: 20,
        window_s: 60,
      });
    });
  });

  it('describes what a refused call has of its own', () => {
    const of = (name: string): any => {
      const { $ref } = document.paths['/gateway/call'].post.responses[name];
      return document.components.responses[$ref.split('/').at(-1)];
    };
    const membersOf = (name: string): object =>
      of(name).content['application/problem+json'].schema.allOf[1].properties;
    expect(membersOf('403')).to.include.keys('reason', 'blocked_until', 'block_id');
    expect(membersOf('429')).to.include.keys('policy_id');
    expect(of('429').headers).to.include.keys('RateLimit', 'RateLimit-Policy', 'Retry-After');
  });

  it('says of each operation that looks at credentials with what these are refused', () => {
    const resolved = ({ $ref, ...response }: any): any =>
      $ref ? document.components.responses[$ref.split('/').at(-1)] : response;
    const codesOf = ({ responses }: any): string[] =>
      Object.values(responses).flatMap((response) => {
        const problem = resolved(response).content?.['application/problem+json'];
        return problem?.schema.allOf[1].properties.code.enum ?? [];
      });
    const expected = ['api_key_elsewhere', 'invalid_credentials', 'sign_in_provider_unavailable'];
    for (const operation of Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path))) {
      if (operation.responses === undefined) continue;
      const looks = operation.security?.length !== 0;
      const known = expected.filter((code) => codesOf(operation).includes(code));
      if (looks) expect(known, operation.operationId).to.deep.equal(expected);
      else expect(known, operation.operationId).to.not.include('api_key_elsewhere');
    }
  });

  it('says that the state is answered with 503 as well', () => {
    const { responses } = document.paths['/health'].get;
    expect(responses[503].content).to.deep.equal(responses[200].content);
    expect(responses[503].description).to.match(/unhealthy/);
  });

  // Many operations say that a restricted key does not cover their algorithm.
  it('stays small: at most 2.45 KB for each operation', () => {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    expect(JSON.stringify(document).length).to.be.below(2450 * operations.length);
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
