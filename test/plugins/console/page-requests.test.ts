import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';

describe('what a frame of a plugin may ask for', () => {
  const operations = ['GET /notes', 'GET /notes/{note_id}', 'POST /notes/{note_id}/copies.v1'];
  let isAmong: (operations: readonly string[], method: string, path: string) => boolean;
  before(async () => ({ isAmong } = await loadConsoleModules('pages/request.ts')));

  for (const [method, path] of [
    ['GET', '/notes'],
    ['GET', '/notes/0190a1b2-c3d4'],
    ['POST', '/notes/a%20b/copies.v1'],
  ] as const) {
    it(`is an operation of the plugin: ${method} ${path}`, () => {
      expect(isAmong(operations, method, path)).to.equal(true);
    });
  }

  for (const [method, path] of [
    ['DELETE', '/notes'],
    ['GET', '/users/me'],
    ['GET', '/notes/1/copies'],
    ['POST', '/notes/1/copiesXv1'],
    ['GET', '/notes/..'],
    ['GET', '/notes/../users/me'],
    ['GET', '/notes/%2e%2e'],
    ['GET', '/notes/..%2fusers'],
    ['GET', '/notes/..\\users'],
    ['GET', '/notes/1?limit=1'],
    ['GET', '//elsewhere.example.org/notes'],
    ['GET', 'notes'],
    ['GET', '@elsewhere.example.org/notes'],
    ['GET', '/notes/\t1'],
  ] as const) {
    it(`is nothing else: ${method} ${JSON.stringify(path)}`, () => {
      expect(isAmong(operations, method, path)).to.equal(false);
    });
  }
});

describe('a JSON pointer of a panel', () => {
  let valueAt: (value: unknown, pointer: string) => unknown;
  before(async () => ({ valueAt } = await loadConsoleModules('pages/pointer.ts')));

  it('leads to a part of an answer, and to nothing that every object has', () => {
    const answer = { a: [{ 'b/c': 1, '~': 2 }], constructor: undefined };
    expect(valueAt(answer, '')).to.equal(answer);
    expect(valueAt(answer, '/a/0/b~1c')).to.equal(1);
    expect(valueAt(answer, '/a/0/~0')).to.equal(2);
    expect(valueAt(answer, '/a/1/x')).to.equal(undefined);
    expect(valueAt({}, '/constructor')).to.equal(undefined);
    expect(valueAt('text', '/length')).to.equal(undefined);
    expect(valueAt(null, '/a')).to.equal(undefined);
  });
});
