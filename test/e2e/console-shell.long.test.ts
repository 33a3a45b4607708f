import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { accessibilityFaults } from '../support/browser.ts';
import { describeConsole, overflow } from '../support/console.ts';

describeConsole('what is around every screen of the console', ({ open }) => {
  describe('in Chinese', () => {
    it('begins so in a browser that prefers it, and loads no other dictionary', async () => {
      const { page, faults } = await open('/', { locale: 'zh-CN' });
      await page.getByRole('heading', { name: '算法目录' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('zh-CN');
      expect(await page.title()).to.equal('算法目录 · Vitrine');
      const loaded: string[] = await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
      );
      expect(loaded.some((path) => /\/zh-[\w-]+\.js$/.test(path))).to.equal(true);
      expect(loaded.some((path) => /\/en-[\w-]+\.js$/.test(path))).to.equal(false);
      expect(faults).to.deep.equal([]);
    });

    it('goes on so from the menu, keeps what was entered, and remembers it', async () => {
      const { page, faults } = await open('/register');
      await page.getByLabel('User name').fill('ada');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: '简体中文' }).click();
      expect(await page.getByLabel('用户名').inputValue()).to.equal('ada');
      await page.reload();
      await page.getByRole('heading', { name: '创建管理员账号' }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.getByRole('button', { name: '菜单' }).click();
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Create the administrator' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
      expect(faults).to.deep.equal([]);
    });

    it('names every problem that the service may tell', () => {
      const errors = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
      const zh = readFileSync(new URL('../../plugins/console/web/src/texts/zh.ts', import.meta.url), 'utf8');
      const codes = [...errors.matchAll(/^\| \d+ \| `(\w+)`/gm)].map(([, code]) => code!);
      expect(codes).to.include('rate_limited');
      expect(codes.filter((code) => !zh.includes(`    ${code}: '`))).to.deep.equal([]);
    });
  });

  it('fits a phone with its menu open', async () => {
    const { page } = await open('/', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'History' }).waitFor();
    expect(await overflow(page)).to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });
});
