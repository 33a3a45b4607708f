import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Spool } from '../../../../plugins/invocation/recording/spool.ts';
import { callRow } from '../support/rows.ts';

/** Takes no byte that is written to it. */
const FULL = '/dev/full';

describe('The spool', () => {
  let directory: string;
  let spool: Spool;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'spool-'));
    spool = new Spool(join(directory, 'calls'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is empty before anything was set aside', async () => {
    expect(await spool.names()).to.deep.equal([]);
  });

  it('gives batches back as they were, oldest first', async () => {
    const [one, two] = [[callRow()], [callRow({ output_data: '"\\u0000ü"' }), callRow()]];
    await spool.add(two);
    await spool.add(one);
    const batches = await Promise.all((await spool.names()).map((name) => spool.read(name)));
    expect(batches).to.deep.equal([one, two]);
  });

  it('keeps records for the eyes of its owner', async () => {
    await spool.add([callRow()]);
    const [name] = await spool.names();
    expect(statSync(join(directory, 'calls', name!)).mode & 0o077).to.equal(0);
    expect(statSync(join(directory, 'calls')).mode & 0o077).to.equal(0);
  });

  it('leaves out a file that was never finished', async () => {
    await spool.add([callRow()]);
    writeFileSync(join(directory, 'calls', 'half.json.tmp'), '[{');
    expect(await spool.names()).to.have.length(1);
  });

  (existsSync(FULL) ? it : it.skip)('leaves nothing on a full disk of what did not find room', async () => {
    const row = callRow();
    mkdirSync(join(directory, 'calls'));
    symlinkSync(FULL, join(directory, 'calls', `${row.id}.json.tmp`));
    const code = await spool.add([row]).catch((error: NodeJS.ErrnoException) => error.code);
    expect(code).to.equal('ENOSPC');
    expect(readdirSync(join(directory, 'calls'))).to.deep.equal([]);
  });

  it('has nothing to read where another process was faster', async () => {
    await spool.add([callRow()]);
    const [name] = await spool.names();
    await spool.remove(name!);
    expect(await spool.read(name!)).to.equal(undefined);
    await spool.remove(name!);
    expect(await spool.names()).to.deep.equal([]);
  });

  it('keeps a refused record for people to look at', async () => {
    const row = callRow();
    await spool.refuse(row);
    expect(await spool.names()).to.deep.equal([]);
    expect(readdirSync(join(directory, 'calls'))).to.deep.equal([`${row.id}.json.refused`]);
  });

  it('keeps a damaged file for people to look at', async () => {
    mkdirSync(join(directory, 'calls'));
    writeFileSync(join(directory, 'calls', 'damaged.json'), '[{');
    const error: unknown = await spool.read('damaged.json').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SyntaxError);
    await spool.quarantine('damaged.json');
    expect(await spool.names()).to.deep.equal([]);
    expect(readdirSync(join(directory, 'calls'))).to.deep.equal(['damaged.json.refused']);
  });
});
