import { expect } from 'chai';
import { startNotes, type StartNote } from '../../../core/kernel/start-notes.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

describe('notes on the start', () => {
  it('are printed in order, and one that fails is logged and omitted', async () => {
    const lines: { level: string; err: { message: string } }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const notes: readonly StartNote[] = [
      { text: (url) => `Look at ${url}/docs` },
      { text: () => Promise.reject(new Error('the database hiccups')) },
      {
        text: () => {
          throw new Error('wrong');
        },
      },
      { text: async () => undefined },
      { text: async () => 'Sign up first' },
    ];
    const said = await startNotes(notes, 'http://here', createLogger({ level: 'info', destination }));
    expect(said).to.deep.equal(['Look at http://here/docs', 'Sign up first']);
    expect(lines.map(({ level, err }) => [level, err.message])).to.have.deep.members([
      ['warn', 'the database hiccups'],
      ['warn', 'wrong'],
    ]);
  });
});
