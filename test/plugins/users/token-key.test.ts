import { expect } from 'chai';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { TOKEN_KEY } from '../../../plugins/users/token-key.ts';
import { startVitrine } from '../../support/vitrine.ts';

const ONE = 'q8Zt0vXo3LrN5bYk7WmC1sGd9JhE2fUa';
const OTHER = 'h4Pw6nTc8KxV0jRz2MyB5qLe7DgS9uFi';

onEveryEngine((engine) => {
  describe('the key of bearer tokens', () => {
    let scratch: Scratch;
    beforeEach(async () => (scratch = await makeScratch(engine)));
    afterEach(() => scratch.remove());

    /** What an instance with a secret says of it at its start. */
    const said = async (secret: string): Promise<{ note: string | undefined; warnings: number }> => {
      const lines: string[] = [];
      const log = { write: (line: string) => lines.push(line) };
      const vitrine = await startVitrine(engine, {
        plugins: ['users'],
        settings: { jwt: { secret } },
        scratch,
        log,
      });
      const note = vitrine.get(TOKEN_KEY).note();
      await vitrine.stop();
      return { note, warnings: lines.filter((line) => line.includes('JWT_SECRET')).length };
    };

    it('is named at the start when it is not that of the instance that started last on the database', async () => {
      expect(await said(ONE)).to.deep.equal({ note: undefined, warnings: 0 });
      expect(await said(ONE)).to.deep.equal({ note: undefined, warnings: 0 });
      const other = await said(OTHER);
      expect(other.note).to.contain('JWT_SECRET');
      expect(other.warnings).to.equal(1);
      expect(await said(OTHER)).to.deep.equal({ note: undefined, warnings: 0 });
    });
  });
});
