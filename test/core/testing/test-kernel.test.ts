import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { definePlugin, routesWith, Type } from '../../../core/index.ts';
import { onEveryEngine, startTestKernel } from '../../../core/testing.ts';

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
