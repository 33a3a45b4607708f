import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { GatheredLines } from '../../../core/telemetry/gathered-lines.ts';

describe('gathered lines', () => {
  let written: string[];
  let lines: GatheredLines;

  beforeEach(() => {
    written = [];
    lines = new GatheredLines({ write: (text) => void written.push(text) });
  });

  it('are written together, in order, a tenth of a second after the first', async () => {
    lines.write('one\n');
    lines.write('two\n');
    expect(written).to.deep.equal([]);
    await pause(200);
    expect(written).to.deep.equal(['one\ntwo\n']);
    lines.write('three\n');
    await pause(200);
    expect(written).to.deep.equal(['one\ntwo\n', 'three\n']);
  });

  it('are written at once when they are enough', () => {
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 20; count += 1) lines.write(line);
    expect(written).to.deep.equal([line.repeat(16)]);
    lines.flush();
    expect(written.join('')).to.equal(line.repeat(20));
  });

  it('are written once, also when they are flushed before their time', async () => {
    lines.write('one\n');
    lines.flush();
    lines.flush();
    await pause(200);
    expect(written).to.deep.equal(['one\n']);
  });
});
