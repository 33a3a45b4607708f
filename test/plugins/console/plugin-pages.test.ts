import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { definePlugin, page, routesWith, Type } from '../../../core/index.ts';
import { builtInPlugins, startTestKernel, type TestKernel } from '../../../core/testing.ts';

const title = { en: 'Notes', zh: '笔记' };

/** A plugin with a page for each kind of reader, whose files are in a folder. */
function notesIn(folder: string) {
  const route = routesWith({})({
    method: 'GET',
    path: '/notes/count',
    operationId: 'countNotes',
    summary: 'Counts notes',
    access: 'public',
    answers: Type.Object({ total: Type.Integer() }),
    handle: () => ({ total: 3 }),
  });
  return definePlugin({
    id: 'notes',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Notes',
    routes: [route],
    pages: [
      page({
        id: 'count',
        title,
        access: 'everyone',
        kind: 'panels',
        panels: [{ kind: 'figure', title, from: 'countNotes', value: '/total' }],
      }),
      page({ id: 'mine', title, access: 'user', kind: 'module', file: 'notes.js' }),
      page({ id: 'all', title, icon: 'rows', access: 'admin', kind: 'frame', file: 'parts/frame.html' }),
    ],
    views: [{ id: 'note', title, kind: 'module', file: 'notes.js', mediaTypes: ['text/x-note'] }],
    webFiles: pathToFileURL(`${folder}/pages/`),
  });
}

describe('what plugins add to the console', () => {
  let folder: string;
  let kernel: TestKernel;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-pages-'));
    mkdirSync(join(folder, 'pages/parts'), { recursive: true });
    writeFileSync(join(folder, 'pages/notes.js'), 'export const mount = () => {};');
    writeFileSync(join(folder, 'pages/parts/frame.html'), '<!doctype html>');
    writeFileSync(join(folder, 'pages/.secret'), 'hidden');
    writeFileSync(join(folder, 'plugin.js'), 'code of the service');
    symlinkSync(join(folder, 'plugin.js'), join(folder, 'pages/link.js'));
    kernel = await startTestKernel({
      engine: 'sqlite',
      plugins: [...(await builtInPlugins(['console', 'users'])), notesIn(folder)],
    });
  });
  after(async () => {
    await kernel.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const listed = async (client: Pick<TestKernel, 'request'>): Promise<any> =>
    (await client.request('GET', '/console/pages')).body;
  const file = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${kernel.rootUrl}/page-files/${path}`, { headers });

  it('is listed for those who find it in the menu', async () => {
    const ids = async (client: Pick<TestKernel, 'request'>) =>
      (await listed(client)).pages.map(({ id }: any) => id);
    expect(await ids(kernel)).to.deep.equal(['count']);
    expect(await ids(await kernel.signIn())).to.deep.equal(['count', 'mine']);
    expect(await ids(await kernel.signIn({ role: 'admin' }))).to.deep.equal(['count', 'mine', 'all']);
  });

  it('names the path that fills a panel, the file of a page, and all operations of the plugin', async () => {
    const { pages, views } = await listed(await kernel.signIn({ role: 'admin' }));
    const of = (id: string) => pages.find((each: any) => each.id === id);
    expect(of('count').panels).to.deep.equal([
      { kind: 'figure', title, from: '/notes/count', value: '/total' },
    ]);
    expect(of('all')).to.deep.include({
      title,
      icon: 'rows',
      kind: 'frame',
      file: 'page-files/notes/parts/frame.html',
      operations: ['GET /notes/count'],
    });
    expect(views[0]).to.deep.equal({
      name: 'notes:note',
      plugin: 'notes',
      title,
      media_types: ['text/x-note'],
      kind: 'module',
      file: 'page-files/notes/notes.js',
      operations: ['GET /notes/count'],
    });
  });

  it('serves the files with their types and tags, where nothing has the origin of the console', async () => {
    const script = await file('notes/notes.js');
    expect(script.status).to.equal(200);
    expect(script.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(await script.text()).to.contain('mount');
    const etag = script.headers.get('etag')!;
    expect((await file('notes/notes.js', { 'If-None-Match': etag })).status).to.equal(304);
    const frame = await file('notes/parts/frame.html');
    expect(frame.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(frame.headers.get('content-security-policy')!.split('; '))
      .to.include("default-src 'none'")
      .and.include("script-src 'self'")
      .and.include("frame-ancestors 'self'")
      .and.include('sandbox allow-scripts');
  });

  for (const path of [
    'notes/none.js',
    'notes/.secret',
    'notes/link.js',
    'notes/parts',
    'notes/..%2Fplugin.js',
    'notes/parts/..%2F..%2Fplugin.js',
    'notes/%2e%2e%2fplugin.js',
    'notes/..%5Cplugin.js',
    'users/plugin.js',
    'nothing/notes.js',
    'constructor/notes.js',
  ]) {
    it(`serves no other file: ${path}`, async () => {
      const answer = await file(path);
      expect(answer.status).to.equal(404);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    });
  }
});

describe('a plugin that is switched off', () => {
  it('leaves nothing of its own in the console', async () => {
    const kernel = await startTestKernel({
      engine: 'sqlite',
      plugins: await builtInPlugins(['console', 'users']),
    });
    try {
      expect((await kernel.request('GET', '/console/pages')).body).to.deep.equal({
        plugins: ['console', 'users'],
        pages: [],
        views: [],
      });
      expect((await fetch(`${kernel.rootUrl}/page-files/llm/test-data.js`)).status).to.equal(404);
    } finally {
      await kernel.stop();
    }
  });
});
