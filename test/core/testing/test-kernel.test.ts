import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { definePlugin, routesWith, token, Type } from '../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel } from '../../../core/testing.ts';
import { failure } from '../persistence/support.ts';

const upload = routesWith({})({
  method: 'POST',
  path: '/letters',
  operationId: 'sendLetters',
  summary: 'Takes letters',
  access: 'public',
  body: Type.Object({ to: Type.String() }),
  files: { maxCount: 2, maxBytes: 100 },
  answers: Type.Object({ to: Type.String(), letters: Type.Array(Type.String()) }),
  handle: async ({ body, files }) => ({
    to: body.to,
    letters: await Promise.all(files.map(({ path }) => readFile(path, 'utf8'))),
  }),
});

const plain = definePlugin({ id: 'plain', version: '1.0.0', api: '^1.0', summary: '' });

describe('a mistake in a test of a plugin', () => {
  const sentences: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    [
      'names an engine that does not exist',
      () => startTestKernel({ engine: undefined as never, plugins: [plain] }),
      'The engine is undefined; it must be "sqlite" or "postgres".',
    ],
    [
      'names an entry that is no plugin',
      () => startTestKernel({ engine: 'sqlite', plugins: [plain, { default: plain } as never] }),
      'Entry 2 of the plugins is { default }, which has no id. Pass what definePlugin({ … }) returns, the default export of its module.',
    ],
    [
      'names a built-in plugin that does not exist',
      () => builtInPlugins(['user']),
      'There is no built-in plugin "user"; did you mean "users"?',
    ],
    [
      'says that PostgreSQL is away, and how to name another',
      async () => {
        const before = process.env['TEST_DATABASE_URL'];
        process.env['TEST_DATABASE_URL'] = 'postgres://me:hush@127.0.0.1:1/test';
        try {
          await startTestKernel({ engine: 'postgres', plugins: [plain] });
        } finally {
          if (before === undefined) delete process.env['TEST_DATABASE_URL'];
          else process.env['TEST_DATABASE_URL'] = before;
        }
      },
      'PostgreSQL cannot be used at 127.0.0.1:1/test: connect ECONNREFUSED 127.0.0.1:1. Name a database for tests in TEST_DATABASE_URL, or test on SQLite only (vitrine plugins check has --engine sqlite).',
    ],
  ];
  for (const [title, mistake, sentence] of sentences) {
    it(title, async () => {
      expect((await failure(mistake())).message).to.equal(sentence);
    });
  }

  it('names what a token without its plugin and a sign-in without accounts need', async () => {
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [plain] });
    try {
      expect(() => kernel.get(token('other:service'))).to.throw(
        'Nothing provides "other:service" here. Is the plugin "other" among those that were started?',
      );
      expect((await failure(kernel.signIn())).message).to.equal(
        `To sign in, a test needs the plugin "users": plugins: [...(await builtInPlugins(['users'])), plugin].`,
      );
    } finally {
      await kernel.stop();
    }
  });
});

onEveryEngine((engine) => {
  describe('a test kernel', () => {
    it('sends a form with its files', async () => {
      const letters = definePlugin({
        id: 'letters',
        version: '1.0.0',
        api: '^1.0',
        summary: '',
        routes: [upload],
      });
      const kernel = await startTestKernel({ engine, plugins: [letters] });
      try {
        const form = new FormData();
        form.set('to', 'Ada');
        form.append('letter', new Blob(['Dear Ada']), 'letter.txt');
        const { body } = await kernel.request('POST', '/letters', { body: form });
        expect(body).to.deep.equal({ to: 'Ada', letters: ['Dear Ada'] });
      } finally {
        await kernel.stop();
      }
    });
  });
});
