import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { withLocation } from '../../../core/kernel/fault-location.ts';
import type { FoundPlugin } from '../../../core/kernel/found-plugin.ts';

describe('a failure of the start', () => {
  let folder: string;
  let found: readonly FoundPlugin[];
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-fault-')));
    found = ['one', 'two'].map((id) => {
      mkdirSync(join(folder, id));
      return { id, origin: 'folder', enabled: true, folder: join(folder, id), entry: '' };
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const thrownIn = (...frames: string[]): Error => {
    const error = new Error('no oil');
    error.stack = ['Error: no oil', ...frames.map((frame) => `    at start (${frame})`)].join('\n');
    return error;
  };
  const messageOf = (cause: unknown, plugins: readonly string[] = ['one']): string =>
    (withLocation(new StartupError('It failed.', [], { cause, plugins }), found) as Error).message;

  it('names the innermost line of the plugin at fault', () => {
    const url = pathToFileURL(join(folder, 'one', 'lib', 'a.js')).href;
    const cause = thrownIn('node:fs:1:1', join(folder, 'two', 'b.js:9:9'), `${url}:12:3`, `${url}:20:1`);
    expect(messageOf(cause)).to.equal(`It failed. (thrown at ${folder}/one/lib/a.js:12:3)`);
  });

  it('leaves out what a loader adds to the name of the file', () => {
    const url = pathToFileURL(join(folder, 'one', 'a.ts')).href;
    expect(messageOf(thrownIn(`${url}?tsx-namespace=1:12:3`))).to.include('/one/a.ts:12:3)');
  });

  it('stays as it is where the plugin meant a sentence for the operator, or the trace leads elsewhere', () => {
    expect(messageOf(new StartupError('Set ONE_OIL.'))).to.equal('It failed.');
    expect(messageOf(thrownIn(join(folder, 'two', 'b.js:9:9')))).to.equal('It failed.');
    expect(messageOf('not an error')).to.equal('It failed.');
  });
});
