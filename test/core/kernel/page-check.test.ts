import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import Type from 'typebox';
import { rawContent, replyBytes, routesWith } from '../../../core/index.ts';
import { pageFaults } from '../../../core/kernel/pages/page-check.ts';

const route = routesWith({});
const get = (path: string, operationId: string, access: 'public' | 'user' | 'admin') =>
  route({
    method: 'GET',
    path,
    operationId,
    summary: '',
    access,
    answers: Type.Object({}),
    handle: () => ({}),
  });
const routes = [
  get('/notes', 'listNotes', 'user'),
  get('/notes/{id}', 'getNote', 'user'),
  get('/notes/total', 'countNotes', 'public'),
  get('/notes/all', 'listAllNotes', 'admin'),
  route({
    method: 'GET',
    path: '/notes/file',
    operationId: 'saveNotes',
    summary: '',
    access: 'user',
    answers: rawContent('text/csv'),
    handle: () => replyBytes(''),
  }),
];
const title = { en: 'Notes' };
const figure = { kind: 'figure', title, from: 'countNotes', value: '/total' };
const page = { id: 'notes', title, access: 'user', kind: 'panels', panels: [figure] };
const module = { id: 'notes', title, access: 'user', kind: 'module', file: 'notes.js' };

describe('the check of pages and views', () => {
  let folder: string;
  let webFiles: URL;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-pages-'));
    mkdirSync(join(folder, 'pages/parts'), { recursive: true });
    writeFileSync(join(folder, 'pages/notes.js'), '');
    writeFileSync(join(folder, 'pages/parts/frame.html'), '');
    webFiles = pathToFileURL(`${folder}/pages/`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const faultsOf = (parts: object) => pageFaults({ routes, webFiles, ...parts } as never);
  const panel = (change: object) => faultsOf({ pages: [{ ...page, panels: [{ ...figure, ...change }] }] });

  it('finds nothing wrong with a page of each kind and with views', () => {
    const frame = {
      id: 'framed',
      title,
      access: 'everyone',
      icon: 'chart',
      kind: 'frame',
      file: 'parts/frame.html',
    };
    const column = { title, value: '/text' };
    const panels = [
      figure,
      { kind: 'table', title, from: '/notes', query: { limit: 5 }, rows: '', columns: [column] },
      { kind: 'series', title, from: 'listNotes', rows: '/a~1b', x: '/at', lines: [column] },
      { kind: 'markdown', text: { en: 'What notes are.', zh: '…' } },
    ];
    const views = [{ id: 'note', title, kind: 'module', file: 'notes.js', mediaTypes: ['text/x-note'] }];
    expect(faultsOf({ pages: [{ ...page, panels }, { ...module, id: 'own' }, frame], views })).to.deep.equal(
      [],
    );
    expect(pageFaults({})).to.deep.equal([]);
  });

  it('says what is wrong with a page', () => {
    const of = (change: object) => faultsOf({ pages: [{ ...page, ...change }] });
    expect(of({ id: 'My notes' })).to.deep.equal([
      'its page "My notes" at /id is "My notes"; expected a name in lower case with single hyphens.',
    ]);
    expect(of({ kind: 'panel' })[0]).to.equal(
      'its page "notes" has the kind "panel"; it must be one of panels, module, frame.',
    );
    expect(of({ title: { zh: '笔记' } })[0]).to.contain('its page "notes" at /title/en is missing');
    expect(of({ access: 'admins' })[0]).to.contain(
      'its page "notes" at /access is "admins"; expected one of "everyone"',
    );
    expect(of({ panel: [] })[0]).to.contain('at /panel is not known');
    expect(faultsOf({ pages: [{ id: 'notes', title, kind: 'frame', file: 'x' }] })[0]).to.equal(
      'its page "notes" at /access is missing.',
    );
    expect(faultsOf({ pages: [page, page] })[0]).to.equal('it has two pages with the id "notes".');
    expect(faultsOf({ pages: [null] })[0]).to.contain('its page "undefined" has the kind undefined');
  });

  it('says what is wrong with a panel', () => {
    expect(panel({ value: 'total' })).to.deep.equal([
      'panel 1 of its page "notes" at /value is "total"; expected a JSON pointer to the value, such as "/total".',
    ]);
    expect(panel({ from: 'countNote' })[0]).to.contain(
      'reads "countNote", which is no GET route of the plugin',
    );
    for (const from of ['getNote', '/notes/{id}', 'saveNotes'])
      expect(panel({ from })[0], from).to.contain('no GET route');
  });

  it('names a file that is missing', () => {
    const of = (file: string) => faultsOf({ pages: [{ ...module, file }] });
    expect(of('note.js')[0]).to.contain('its page "notes" is the file "note.js", and there is no ');
    expect(of('../plugin.js')[0]).to.contain('expected the name of a file in the folder "webFiles"');
    expect(faultsOf({ pages: [module], webFiles: undefined })[0]).to.contain('Add webFiles: new URL(');
    expect(faultsOf({ pages: [module], webFiles: pathToFileURL(`${folder}/none/`) })[0]).to.contain(
      'none/notes.js. Was it built?',
    );
    expect(faultsOf({ views: [{ id: 'note', title, kind: 'frame', file: 'none.html' }] })[0]).to.contain(
      'its view "note" is the file "none.html"',
    );
  });
});
