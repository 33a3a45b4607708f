import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('what a page can know of registration', () => {
    const started: Vitrine[] = [];
    after(async () => {
      for (const vitrine of started) await vitrine.stop();
    });
    const start = async (users: Readonly<Record<string, unknown>> = {}) => {
      const vitrine = await startVitrine(engine, { plugins: ['users'], settings: { users } });
      started.push(vitrine);
      return vitrine;
    };
    const stateOf = async (vitrine: Vitrine): Promise<unknown> =>
      (await vitrine.request('GET', '/users/registration')).body;

    it('is that the first account becomes the administrator, until there is one', async () => {
      const vitrine = await start();
      expect(await stateOf(vitrine)).to.deep.equal({
        open: true,
        makes_administrator: true,
        password_reset: false,
      });
      await vitrine.admin();
      expect(await stateOf(vitrine)).to.deep.equal({
        open: true,
        makes_administrator: false,
        password_reset: false,
      });
    });

    it('is that it is closed', async () => {
      expect(await stateOf(await start({ registration: false }))).to.deep.equal({
        open: false,
        makes_administrator: false,
        password_reset: false,
      });
    });

    it('is that the first account becomes none where the settings say so', async () => {
      expect(await stateOf(await start({ first_is_admin: false }))).to.deep.equal({
        open: true,
        makes_administrator: false,
        password_reset: false,
      });
    });
  });
});
