import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { ValidationFailed } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { exportCatalogue, importCatalogue } from '../../../plugins/catalogue/commands.ts';
import { CATALOGUE_EXPORT } from '../../../plugins/catalogue/portable/export.ts';
import { CATALOGUE_IMPORT } from '../../../plugins/catalogue/portable/import.ts';
import type { PortableAlgorithm, PortableCatalogue } from '../../../plugins/catalogue/portable/schemas.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';
import { emptyCatalogue } from './support/empty-catalogue.ts';

/** Takes what is written and says that there is no room. */
const FULL = '/dev/full';

const TEXT_SCHEMA = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };

const LANGUAGE: PortableAlgorithm = {
  name: 'Language',
  description: 'Tells the language.',
  type: 'nlp',
  status: 'deprecated',
  access: 'private',
  tags: ['text', 'Ünïcode'],
  readme: '## When to use it\n',
  versions: [
    { version: '1.0', url: 'https://example.org/1', is_default: true, input_schema: TEXT_SCHEMA },
    {
      version: '2.0',
      url: 'https://example.org/2',
      params: { most: { type: 'integer', default: 3 } },
      input_schema: TEXT_SCHEMA,
      examples: [
        {
          name: 'Greeting',
          input_data: { text: 'yes' },
          output_data: { language: 'en' },
          tolerance: { relative: 0.1 },
          is_default: true,
        },
        { name: 'Number', input_data: { text: '0755' }, params: { most: 1 } },
      ],
    },
  ],
};
const PLAIN: PortableAlgorithm = { name: 'Plain', description: '', type: 'ml' };

describe('A catalogue as a file', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let folder: string;
    let file: string;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['catalogue', 'users', 'permissions', 'invocation'] });
      await vitrine.user('grace');
    });
    after(() => vitrine.stop());
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'vitrine-portable-'));
      file = join(folder, 'catalogue.yaml');
    });
    afterEach(async () => {
      rmSync(folder, { recursive: true });
      await emptyCatalogue(vitrine);
    });

    const written = (catalogue: Partial<PortableCatalogue>): void =>
      writeFileSync(file, stringify({ vitrine: 1, algorithms: [], ...catalogue }));
    const read = (): PortableCatalogue => parse(readFileSync(file, 'utf8')) as PortableCatalogue;
    const run = async (options: Readonly<Record<string, boolean>> = {}): Promise<string> => {
      const imported = vitrine.get(CATALOGUE_IMPORT);
      return (await importCatalogue.run({ file, ...options }, { imported } as never)).message;
    };
    const runExport = async (): Promise<PortableCatalogue> => {
      rmSync(file, { force: true });
      await exportCatalogue.run({ file }, { exported: vitrine.get(CATALOGUE_EXPORT) } as never);
      return read();
    };
    const refusal = async (options: Readonly<Record<string, boolean>> = {}): Promise<string> => {
      try {
        await run(options);
      } catch (error) {
        if (ValidationFailed.is(error)) return error.message;
        throw error;
      }
      throw new Error('The import was not refused.');
    };
    const names = async (): Promise<readonly string[]> =>
      (await vitrine.get(CATALOGUE_EXPORT).collect()).algorithms.map(({ name }) => name);

    it('is written as it was read, in the order of the names', async () => {
      written({ algorithms: [PLAIN, LANGUAGE] });
      await run();
      const [language, plain] = (await runExport()).algorithms;
      expect(plain).to.deep.equal({
        ...PLAIN,
        status: 'active',
        access: 'open',
        tags: [],
        readme: '',
        versions: [],
      });
      const [first, second] = language!.versions!;
      expect({ ...language, versions: [] }).to.deep.equal({ ...LANGUAGE, versions: [] });
      expect(first).to.include({ version: '1.0', is_default: true });
      expect(second).to.deep.include({ version: '2.0', is_default: false, input_schema: TEXT_SCHEMA });
      expect(second!.examples).to.deep.equal([
        { ...LANGUAGE.versions![1]!.examples![0], description: '', params: {} },
        {
          ...LANGUAGE.versions![1]!.examples![1],
          description: '',
          output_data: null,
          tolerance: null,
          is_default: false,
        },
      ]);
    });

    it('changes nothing the second time', async () => {
      written({ algorithms: [LANGUAGE, PLAIN] });
      await run();
      expect(await run({ prune: true })).to.equal('The catalogue is like the file already (2 algorithms).');
    });

    it('changes only what differs, and says which fields', async () => {
      written({ algorithms: [LANGUAGE, PLAIN] });
      await run();
      const versions = LANGUAGE.versions!.map((version) => ({
        ...version,
        is_default: version.version === '2.0',
      }));
      written({ algorithms: [{ ...LANGUAGE, access: 'open', versions }] });
      expect(await run()).to.equal(
        [
          'update algorithm "Language": access',
          'update version "1.0" of algorithm "Language": is_default',
          'update version "2.0" of algorithm "Language": is_default',
          'Made 3 changes for 1 algorithm.',
        ].join('\n'),
      );
      const [language, plain] = (await runExport()).algorithms;
      expect(language!.versions!.map(({ is_default }) => is_default)).to.deep.equal([false, true]);
      expect(plain!.name).to.equal('Plain');
    });

    it('says with --dry-run what it would change, and changes nothing', async () => {
      written({ algorithms: [PLAIN] });
      expect(await run({ dryRun: true })).to.equal(
        'create algorithm "Plain"\nNothing was changed. The import would make 1 change for 1 algorithm.',
      );
      expect(await names()).to.deep.equal([]);
    });

    it('deletes with --prune what the file does not name, and only then', async () => {
      written({ algorithms: [LANGUAGE, PLAIN] });
      await run();
      const [, second] = LANGUAGE.versions!;
      written({
        algorithms: [{ ...LANGUAGE, versions: [{ ...second!, examples: [second!.examples![1]!] }] }],
      });
      expect(await run()).to.contain('like the file already');
      expect(await run({ prune: true })).to.equal(
        [
          'delete example "Greeting" of version "2.0" of algorithm "Language"',
          'delete version "1.0" of algorithm "Language"',
          'delete algorithm "Plain"',
          'Made 3 changes for 1 algorithm.',
        ].join('\n'),
      );
      expect(await names()).to.deep.equal(['Language']);
    });

    it('hands grants on by the names of algorithms and accounts', async () => {
      const grant = { algorithm: 'Language', user: 'grace', permission_type: 'execute', granted_by: 'admin' };
      written({ algorithms: [LANGUAGE], sections: { permissions: [grant] } });
      expect(await run()).to.contain('create grant of execute on "Language" to "grace"');
      expect((await runExport()).sections).to.deep.equal({ permissions: [grant] });
      written({ algorithms: [LANGUAGE] });
      expect(await run({ prune: true })).to.contain('delete grant of execute on "Language" to "grace"');
      expect((await runExport()).sections).to.deep.equal({});
    });

    it('changes the end of grants, and leaves out those that have expired since', async () => {
      const grant = { algorithm: 'Language', user: 'grace', permission_type: 'execute', granted_by: 'admin' };
      const ending = { ...grant, expires_at: '2998-01-01T00:00:00.000Z' };
      const ended = { ...grant, permission_type: 'manage', expires_at: '2020-01-01T00:00:00Z' };
      written({ algorithms: [LANGUAGE], sections: { permissions: [grant] } });
      await run();
      written({ algorithms: [LANGUAGE], sections: { permissions: [ending, ended] } });
      const update = 'update grant of execute on "Language" to "grace": expires_at';
      expect(await run({ dryRun: true })).to.contain(update);
      expect((await runExport()).sections).to.deep.equal({ permissions: [grant] });
      written({ algorithms: [LANGUAGE], sections: { permissions: [ending, ended] } });
      expect(await run()).to.equal(`${update}\nMade 1 change for 1 algorithm.`);
      expect((await runExport()).sections).to.deep.equal({ permissions: [ending] });
      written({ algorithms: [LANGUAGE], sections: { permissions: [grant] } });
      expect(await run(), 'what the file leaves out stays').to.contain('like the file already');
    });

    describe('is refused before anything is changed', () => {
      const refused: readonly (readonly [string, Partial<PortableCatalogue> | object, string])[] = [
        [
          'an unknown field',
          { algorithms: [PLAIN, { ...PLAIN, name: 'B', colour: 1 }] },
          '/algorithms/1/colour (of "B", here 1) is not',
        ],
        [
          'a wrong value',
          { algorithms: [PLAIN, { ...PLAIN, name: 'B', status: 'new' }] },
          '/algorithms/1/status (of "B", here "new") must be one of',
        ],
        ['a name that stands there twice', { algorithms: [PLAIN, PLAIN] }, '/algorithms/1/name'],
        [
          'a section of no plugin',
          { algorithms: [PLAIN], sections: { teleport: [] } },
          '/sections/teleport belongs to a plugin that is not enabled here',
        ],
        [
          'an address that endpoints may not have',
          {
            algorithms: [PLAIN, { ...LANGUAGE, versions: [{ version: '1.0', url: 'ftp://example.org' }] }],
          },
          '/algorithms/1/versions/0/url (of "Language", "1.0", here "ftp://example.org") ',
        ],
        [
          'a schema that is none',
          {
            algorithms: [
              {
                ...LANGUAGE,
                versions: [
                  {
                    version: '1.0',
                    url: 'https://example.org',
                    input_schema: { properties: { a: { type: 'txt' } } },
                  },
                ],
              },
            ],
          },
          '/algorithms/0/versions/0/input_schema/properties/a/type (of "Language", "1.0", here "txt") must be',
        ],
        ['a later form', { vitrine: 2, algorithms: [PLAIN] }, 'Upgrade Vitrine'],
        [
          'a grant to an account that does not exist',
          {
            algorithms: [PLAIN],
            sections: { permissions: [{ algorithm: 'Plain', user: 'nobody', permission_type: 'read' }] },
          },
          'the account "nobody", which does not exist here',
        ],
        [
          'a grant that stands there twice',
          {
            algorithms: [PLAIN],
            sections: {
              permissions: ['grace', 'Grace'].map((user) => ({
                algorithm: 'Plain',
                user,
                permission_type: 'read',
              })),
            },
          },
          'stands there a second time: grant of read on "Plain" to "Grace"',
        ],
        [
          'an end that is no time',
          {
            algorithms: [PLAIN],
            sections: {
              permissions: [
                { algorithm: 'Plain', user: 'grace', permission_type: 'read', expires_at: 'tomorrow' },
              ],
            },
          },
          'has an end that is no time: "tomorrow" in the grant of read on "Plain" to "grace"',
        ],
      ];
      for (const [what, content, why] of refused) {
        it(`for ${what}`, async () => {
          written(content);
          expect(await refusal()).to.contain(why);
          expect(await names()).to.deep.equal([]);
        });
      }

      it('when it is no YAML, no catalogue, or cannot be read', async () => {
        writeFileSync(file, 'vitrine: 1\n  algorithms: ]');
        expect(await refusal()).to.match(/^The file is no YAML that can be read: line 1: [^\n]+\.$/);
        for (const foreign of [
          'vitrine: 1\n"a" \x1f\x8b\x08bytes',
          'a: >\x1f\x8bbytes',
          '- a\n\x1f\x8b: bytes\n- b',
        ]) {
          writeFileSync(file, foreign);
          expect(await refusal())
            .to.match(/^The file is no YAML that can be read: line \d: [ -~]+\.$/)
            .and.not.contain('bytes');
        }
        writeFileSync(file, 'services: {}');
        expect(await refusal()).to.contain('it does not say "vitrine: 1"');
        rmSync(file);
        expect(await refusal()).to.contain(`The file ${file} cannot be read`);
      });
    });

    it('leaves out the section of an unknown plugin on request', async () => {
      written({ algorithms: [PLAIN], sections: { teleport: [] } });
      await run({ skipUnknown: true });
      expect(await names()).to.deep.equal(['Plain']);
    });

    it('stops at what is refused, names it, and goes on from there', async () => {
      const [first] = LANGUAGE.versions!;
      const examples = [{ name: 'Unfit', input_data: { text: 1 } }];
      written({ algorithms: [PLAIN, { ...LANGUAGE, versions: [{ ...first!, examples }] }] });
      expect(await refusal()).to.contain(
        'The example "Unfit" of version "1.0" of algorithm "Language" was refused',
      );
      expect(await names()).to.deep.equal(['Language', 'Plain']);
      written({ algorithms: [PLAIN, LANGUAGE] });
      expect(await run()).not.to.contain('create algorithm');
    });

    it('is not written over a file that exists', async () => {
      written({});
      try {
        await exportCatalogue.run({ file }, { exported: vitrine.get(CATALOGUE_EXPORT) } as never);
        throw new Error('The file was overwritten.');
      } catch (error) {
        expect((error as Error).message).to.contain('it exists already, and is kept');
      }
    });

    (existsSync(FULL) ? it : it.skip)('is not left cut off by a full disk', async () => {
      symlinkSync(FULL, `${file}.partial`);
      const failure = await runExport().then(String, (error: Error) => error.message);
      expect(failure).to.contain(`The file ${file} cannot be written`).and.contain('ENOSPC');
      expect(readdirSync(folder)).to.deep.equal([]);
    });

    it('is written without anything beside it', async () => {
      await runExport();
      expect(readdirSync(folder)).to.deep.equal([basename(file)]);
    });

    const makeTwins = async (): Promise<void> => {
      const { token } = await vitrine.admin();
      for (let n = 0; n < 2; n += 1) await vitrine.request('POST', '/algorithms', { token, body: PLAIN });
    };

    it('is imported while two algorithms have the same name, which it does not name', async () => {
      await makeTwins();
      written({ algorithms: [LANGUAGE] });
      expect(await run()).to.contain('create algorithm "Language"');
    });

    const twinGrant = { algorithm: 'Plain', user: 'grace', permission_type: 'read' };
    for (const [what, catalogue, prune] of [
      ['an algorithm', { algorithms: [PLAIN] }, false],
      ['a section', { sections: { permissions: [twinGrant] } }, false],
      ['nothing, but all others are to be deleted', {}, true],
    ] as const) {
      it(`is refused while two algorithms have the same name, with ${what} of that name`, async () => {
        await makeTwins();
        written(catalogue as Partial<PortableCatalogue>);
        expect(await refusal({ prune })).to.contain('Two algorithms are called "Plain"');
      });
    }

    it('is not written while two algorithms have the same name', async () => {
      await makeTwins();
      const failure = await runExport().then(String, (error: Error) => error.message);
      expect(failure).to.contain('Two algorithms are called "Plain"').and.contain('Rename one of them.');
    });
  });
});
