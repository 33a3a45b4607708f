import { expect } from 'chai';
import { DATABASE, type Engine } from '../../../core/index.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { samples } from '../../../plugins/samples/algorithms/index.ts';
import { startVitrine, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';

const plugins = ['users', 'catalogue', 'invocation', 'samples'];
const titles = samples.map(({ title }) => title);

interface Listed {
  readonly id: string;
  readonly name: string;
}

async function listed(vitrine: Vitrine): Promise<Listed[]> {
  const { body } = await vitrine.request('GET', '/algorithms');
  return body.algorithms as Listed[];
}

const namesIn = async (vitrine: Vitrine) => (await listed(vitrine)).map(({ name }) => name);

onEveryEngine((engine: Engine) => {
  describe('Putting the samples into the catalogue', function () {
    this.timeout(60_000);
    let scratch: Scratch;
    const running: Vitrine[] = [];

    /** An instance on the database of this test. */
    const start = async (options: VitrineOptions = {}): Promise<Vitrine> => {
      const vitrine = await startVitrine(engine, { plugins, scratch, ...options });
      running.push(vitrine);
      return vitrine;
    };
    const restart = async (options?: VitrineOptions): Promise<Vitrine> => {
      await running.pop()!.stop();
      return start(options);
    };

    beforeEach(async () => {
      scratch = await makeScratch(engine);
    });

    afterEach(async () => {
      await Promise.all(running.splice(0).map((vitrine) => vitrine.stop()));
      await scratch.remove();
    });

    it('happens at the first start, in their order', async () => {
      expect(await namesIn(await start())).to.deep.equal(titles);
    });

    it('gives each a default version under a plugin URL, with schemas, parameters and an example', async () => {
      const vitrine = await start();
      for (const [i, { id }] of (await listed(vitrine)).entries()) {
        const { body } = await vitrine.request('GET', `/algorithms/${id}`);
        expect(body.versions).to.have.length(1);
        const [version] = body.versions;
        expect(version).to.deep.include({ url: `plugin:samples/${samples[i]!.name}`, is_default: true });
        expect(version.input_schema.examples).to.deep.equal([samples[i]!.example]);
        expect(version.output_schema.type).to.equal('object');
        expect(Object.keys(version.params)).to.have.members(Object.keys(samples[i]!.params));
      }
    });

    it('gives each tags, a readme and its examples, the first of which is the default', async () => {
      const vitrine = await start();
      for (const [i, { id }] of (await listed(vitrine)).entries()) {
        const { body } = await vitrine.request('GET', `/algorithms/${id}`);
        expect(body.tags).to.deep.equal(samples[i]!.tags);
        expect(body.readme).to.include('## When not');
        const path = `/algorithms/${id}/versions/${body.versions[0].id}/examples`;
        const { body: examples } = await vitrine.request('GET', path);
        const shown = examples.map(({ name, is_default, fits, output_data }: Record<string, unknown>) => [
          name,
          is_default,
          fits,
          output_data !== null,
        ]);
        expect(shown).to.deep.equal(samples[i]!.examples.map(({ name }, n) => [name, n === 0, true, true]));
      }
    });

    it('does not happen again', async () => {
      await start();
      expect(await namesIn(await restart())).to.deep.equal(titles);
    });

    it('does not bring back what an administrator deleted, not even everything', async () => {
      const vitrine = await start();
      const { token } = await vitrine.admin();
      for (const { id } of await listed(vitrine))
        await vitrine.request('DELETE', `/algorithms/${id}`, { token });
      expect(await namesIn(await restart())).to.deep.equal([]);
    });

    it('leaves a catalogue alone that holds something else', async () => {
      const vitrine = await start({ plugins: ['users', 'catalogue'] });
      const { token } = await vitrine.admin();
      const body = { name: 'Mine', description: '', type: 'ml' };
      await vitrine.request('POST', '/algorithms', { token, body });
      expect(await namesIn(await restart())).to.deep.equal(['Mine']);
    });

    it('can be turned off, and happens when it is turned on again', async () => {
      expect(await namesIn(await start({ settings: { samples: { seed: false } } }))).to.deep.equal([]);
      expect(await namesIn(await restart())).to.deep.equal(titles);
    });

    it('happens once when two instances start at the same time', async () => {
      await start({ plugins: ['users', 'catalogue', 'invocation'] });
      await Promise.all([start(), start()]);
      expect((await namesIn(running[0]!)).toSorted()).to.deep.equal(titles.toSorted());
    });

    it('is finished by a later start when an instance died in the midst of it', async () => {
      const vitrine = await start({ settings: { samples: { seed: false } } });
      const long = '2020-01-01T00:00:00.000Z';
      const [done, abandoned] = [titles.length - 2, 2];
      await vitrine.get(DATABASE).transaction(async (trx) => {
        for (const [i, { name }] of samples.entries()) {
          const row = { name, claimed_at: long, seeded_at: i < done ? long : null };
          await trx('samples_seedings').insert(row);
        }
      });
      expect(await namesIn(await restart())).to.deep.equal(titles.slice(-abandoned));
    });

    for (const [what, versions, expected] of [
      ['had no version yet', 0, 1],
      ['had its version', 1, 1],
    ] as const) {
      it(`adds no second algorithm where an instance died whose algorithm ${what}`, async () => {
        const vitrine = await start();
        const [{ id }] = (await listed(vitrine)) as [Listed];
        const [{ name }] = samples as [(typeof samples)[number]];
        await vitrine.get(DATABASE).transaction(async (trx) => {
          await trx('samples_seedings').where({ name }).update({ seeded_at: null, claimed_at: '2020' });
          if (versions > 0) return;
          await trx('catalogue_algorithms').where({ id }).update({ default_version_id: null });
          await trx('catalogue_examples').where({ algorithm_id: id }).delete();
          await trx('catalogue_versions').where({ algorithm_id: id }).delete();
        });
        const { request } = await restart();
        const { body } = await request('GET', `/algorithms/${id}`);
        expect([await namesIn(running[0]!), body.versions.length]).to.deep.equal([titles, expected]);
        expect(body.versions[0].is_default).to.equal(true);
      });
    }

    it('is left to the instance that is at it', async () => {
      const vitrine = await start({ settings: { samples: { seed: false } } });
      const claimed_at = new Date(2100, 0, 1).toISOString();
      await vitrine.get(DATABASE).transaction(async (trx) => {
        await trx('samples_seedings').insert({ name: samples[0]!.name, claimed_at, seeded_at: null });
      });
      expect(await namesIn(await restart())).to.deep.equal([]);
    });
  });
});
