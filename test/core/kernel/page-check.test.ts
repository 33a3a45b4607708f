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
  const faultsOf = (parts: object, within = folder) =>
    pageFaults({ routes, webFiles, ...parts } as never, within);
  const panel = (change: object, access = 'user') =>
    faultsOf({ pages: [{ ...page, access, panels: [{ ...figure, ...change }] }] });

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
    expect(pageFaults({}, folder)).to.deep.equal([]);
  });

  it('says what is wrong with a page', () => {
    const of = (change: object) => faultsOf({ pages: [{ ...page, ...change }] });
    expect(of({ id: 'My notes' })).to.deep.equal([
      'the id of its page "My notes" must be a name in lower case with single hyphens.',
    ]);
    expect(of({ kind: 'panel' })[0]).to.equal(
      'its page "notes" has the kind "panel"; it must be one of panels, module, frame.',
    );
    expect(of({ title: { zh: '笔记' } })[0]).to.contain(
      'the title of its page "notes" must be texts by language',
    );
    expect(of({ access: 'admins' })[0]).to.contain(
      'the access of its page "notes" must be one of "everyone"',
    );
    expect(of({ panel: [] })[0]).to.contain('has a member "panel", which the kind "panels" does not have');
    expect(faultsOf({ pages: [{ id: 'notes', title, kind: 'frame', file: 'x' }] })[0]).to.equal(
      'its page "notes" has no access.',
    );
    expect(faultsOf({ pages: [page, page] })[0]).to.equal('it has two pages with the id "notes".');
    expect(faultsOf({ pages: [null] })[0]).to.contain('its page "undefined" has the kind undefined');
  });

  it('says what is wrong with a panel', () => {
    expect(panel({ value: 'total' })).to.deep.equal([
      'the value of panel 1 of its page "notes" must be a JSON pointer to the value, such as "/total".',
    ]);
    expect(panel({ from: 'countNote' })[0])
      .to.contain('reads "countNote", which is no GET route of the plugin')
      .and.contain('Did you mean "countNotes"?');
    for (const from of ['getNote', '/notes/{id}', 'saveNotes'])
      expect(panel({ from })[0], from).to.contain('no GET route');
  });

  it('refuses two columns with one title, in any language', () => {
    const columns = (...titles: object[]) => titles.map((each) => ({ title: each, value: '/id' }));
    const table = (...titles: object[]) => ({
      kind: 'table',
      title,
      from: 'countNotes',
      rows: '/notes',
      columns: columns(...titles),
    });
    const of = (panels: object[]) => faultsOf({ pages: [{ ...page, panels }] });
    expect(of([table({ en: 'Note', zh: '笔记' }, { en: 'Text', zh: '笔记' })])).to.deep.equal([
      'panel 1 of its page "notes" has two columns with the title "笔记" (zh).',
    ]);
    expect(of([table({ en: 'Note' }, { en: 'Text', zh: 'Note' })])[0]).to.contain('"Note" (zh)');
    expect(of([table({ en: 'Note', zh: '笔记' }, { en: 'Text' })])).to.deep.equal([]);
  });

  it('refuses a panel that not everybody may load who sees the page', () => {
    expect(panel({ from: 'listNotes' }, 'everyone')[0]).to.contain(
      'Give the page another access than "everyone"',
    );
    expect(panel({ from: 'listAllNotes' }, 'user')[0]).to.contain(
      'which not everybody who sees the page may use',
    );
    expect(panel({ from: 'countNotes' }, 'everyone')).to.deep.equal([]);
    expect(panel({ from: 'listAllNotes' }, 'admin')).to.deep.equal([]);
  });

  it('names a file that is missing, or that does not belong to the plugin', () => {
    const of = (file: string) => faultsOf({ pages: [{ ...module, file }] });
    expect(of('note.js')[0]).to.contain('its page "notes" is the file "note.js", and there is none in');
    expect(of('../plugin.js')[0]).to.contain('must be the name of a file in the folder "webFiles"');
    expect(faultsOf({ pages: [module], webFiles: undefined })[0]).to.contain('Add webFiles: new URL(');
    expect(faultsOf({ pages: [module], webFiles: pathToFileURL(`${folder}/none/`) })[0]).to.contain(
      'there is no such folder. Was it built?',
    );
    expect(faultsOf({ pages: [module], webFiles: pathToFileURL(`${folder}/pages`) })[0]).to.contain(
      'slash at its end',
    );
    expect(faultsOf({ pages: [module] }, join(folder, 'pages/parts'))[0]).to.contain(
      'not in the folder of the plugin',
    );
    expect(faultsOf({ views: [{ id: 'note', title, kind: 'frame', file: 'none.html' }] })[0]).to.contain(
      'its view "note" is the file "none.html"',
    );
  });
});
