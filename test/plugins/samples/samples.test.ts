import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { moduleOf, samples } from '../../../plugins/samples/algorithms/index.ts';
import { assetsOf } from '../../../plugins/samples/assets.ts';
import type { About } from '../../../plugins/samples/describing/about.ts';
import { versionOf } from '../../../plugins/samples/listing.ts';
import type { AlgorithmPool } from '../../../plugins/samples/running/pool.ts';
import { poolOf, runIn } from './support.ts';

type JsonObject = Record<string, unknown>;

/** The schema as a client reads it. */
function published(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** What breaks a schema, in words. */
function broken(schema: unknown, value: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  return ajv.validate(published(schema), value) ? [] : ajv.errors;
}

/** Every object schema inside a schema, with the properties it describes. */
function objectsIn(schema: unknown): { properties: Record<string, JsonObject> }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema ? [schema as { properties: Record<string, JsonObject> }, ...inner] : inner;
}

/** A value whose numbers have six digits: the last ones differ between processors. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number' ? Number(part.toPrecision(6)) : part,
    ),
  );
}

describe('The samples', function () {
  this.timeout(30_000);
  let pool: AlgorithmPool;

  before(() => {
    pool = poolOf({ memoryMb: 768 });
  });

  after(() => pool.close());

  const runExample = (about: About): Promise<string> => run(about, about.example, {});
  const run = async (about: About, given: unknown, params: JsonObject): Promise<string> => {
    const input = given as JsonObject;
    const maxOutputBytes = 1024 * 1024;
    const verdict = await runIn(pool, { module: moduleOf(about).href, input, params, maxOutputBytes });
    expect(verdict, JSON.stringify(verdict).slice(0, 400)).to.have.property('kind', 'done');
    return (verdict as { json: string }).json;
  };

  it('are at least ten, of five types', () => {
    expect(samples.length).to.be.at.least(10);
    expect(new Set(samples.map(({ type }) => type)).size).to.equal(5);
  });

  it('have different names', () => {
    for (const names of [samples.map(({ name }) => name), samples.map(({ title }) => title)]) {
      expect(new Set(names).size).to.equal(samples.length);
    }
  });

  it('are all that there are folders of', () => {
    const folder = new URL('../../../plugins/samples/algorithms/', import.meta.url);
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(samples.map(({ name }) => name)).to.have.members(folders.map(({ name }) => name));
  });

  for (const about of samples) {
    describe(about.name, () => {
      it('has an example that fits its input schema', () => {
        expect(broken(about.input, about.example)).to.deep.equal([]);
      });

      it('answers the example in the form of its output schema', async () => {
        expect(broken(about.output, JSON.parse(await runExample(about)))).to.deep.equal([]);
      });

      it('answers the same again', async () => {
        expect(await runExample(about)).to.equal(await runExample(about));
      });

      it('has a readme that says when not to use it, and tags', async () => {
        const { readme } = await assetsOf(about.name);
        expect(readme).to.match(
          /^[A-Z].*\n\n## When to use it\n[^]+\n## When not\n[^]+\n## How it works\n[^]+\n$/,
        );
        expect(about.tags.length).to.be.within(2, 5);
      });

      for (const [n, { name, input = about.example, params = {} }] of about.examples.entries()) {
        it(`answers the example "${name}" as the catalogue says`, async () => {
          const { outputs } = await assetsOf(about.name);
          expect(broken(about.input, input)).to.deep.equal([]);
          expect(rounded(JSON.parse(await run(about, input, params)))).to.deep.equal(rounded(outputs[n]));
        });
      }

      it('has an output for each example, and no other', async () => {
        expect((await assetsOf(about.name)).outputs).to.have.length(about.examples.length);
      });

      it('publishes its example in the input schema', () => {
        expect(versionOf(about).input_schema).to.have.property('examples').that.deep.equals([about.example]);
      });

      it('is described in a few sentences', () => {
        expect(about.description.length).to.be.within(200, 800);
      });

      it('names, orders and bounds what it takes', () => {
        for (const { properties } of objectsIn(published(about.input))) {
          for (const [field, schema] of Object.entries(properties)) {
            expect(schema, field).to.include.keys('title', 'x-order');
            if (schema['type'] === 'string' && !schema['enum'])
              expect(schema, field).to.have.property('maxLength');
            if (schema['type'] === 'array') expect(schema, field).to.have.property('maxItems');
          }
          const orders = Object.values(properties).map((schema) => schema['x-order']);
          expect(new Set(orders).size).to.equal(orders.length);
        }
      });

      it('refuses unknown fields', () => {
        expect(broken(about.input, { ...(about.example as object), surprise: 1 })).to.not.deep.equal([]);
      });

      it('has parameters whose defaults are allowed', () => {
        for (const spec of Object.values(about.params)) {
          if ('min' in spec) expect(spec.default).to.be.within(spec.min, spec.max);
          if ('enum' in spec) expect(spec.enum).to.include(spec.default);
        }
      });

      it('says how to show its answer', () => {
        expect(JSON.stringify(about.output)).to.include('"x-view"');
      });

      it('refuses input of another form in words, whatever the version of the catalogue says', async () => {
        const { href } = moduleOf(about);
        const verdict = await runIn(pool, {
          module: href,
          input: { wrong: [1] },
          params: {},
          maxOutputBytes: 1000,
        });
        expect(verdict).to.have.property('kind', 'rejected');
        expect(verdict).to.have.property('message').that.includes('does not fit the algorithm');
      });
    });
  }

  it('refuse parameters out of bounds in words', async () => {
    const kMeans = samples.find(({ name }) => name === 'k-means')!;
    const input = kMeans.example as JsonObject;
    const refusals = [{ k: 0 }, { k: 2.5 }, { standardise: 'yes' }].map(async (params) => {
      const verdict = await runIn(pool, {
        module: moduleOf(kMeans).href,
        input,
        params,
        maxOutputBytes: 1000,
      });
      return 'message' in verdict ? verdict.message : verdict.kind;
    });
    expect(await Promise.all(refusals)).to.deep.equal([
      'The parameter "k" is 0, but must be a whole number from 1 to 30.',
      'The parameter "k" is 2.5, but must be a whole number from 1 to 30.',
      'The parameter "standardise" is "yes", but must be true or false.',
    ]);
  });
});
