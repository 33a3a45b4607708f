import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { packageRoot } from '../../core/support/package-root.ts';
import {
  builtInPlugins,
  makeScratch,
  onEveryEngine,
  startTestKernel,
  type Scratch,
} from '../../core/testing.ts';
import { browserPath, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { fillCatalogue } from '../support/large-installation/fill-catalogue.ts';
import { fillHistory } from '../support/large-installation/fill-history.ts';
import { signIn, type AccountClient } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';

const ALGORITHMS = 10_000;
const CALLED = 20;
const USERS = 1_000;
const CALLS = Number(process.env['LARGE_INSTALLATION_CALLS'] ?? 1_000_000);
/** What a person waits for, on a machine that runs another suite beside it, right after a million calls at once. */
const OPEN_WITHIN_MS = 5_000;
const SETTLED_MS = 100;
const FILLED_WITHIN_MS = 15 * 60_000;

const WEB = join(packageRoot, 'plugins', 'console', 'web', 'src');
/** Where the routes of the console stand, each with the path below which they are. */
const ROUTES = { 'router.tsx': '', 'administration/routes.ts': '/administration' };

/** Everything here that has an address of its own. */
interface Ids {
  readonly algorithm: string;
  readonly version: string;
  readonly user: string;
  readonly group: string;
  readonly call: string;
}

/** The addresses of every screen, as whoever administers opens them. */
function screens({ algorithm, version, user, group, call }: Ids): readonly string[] {
  const tabs = ['about', 'api', 'versions', 'history', 'performance'];
  const managing = ['versions', 'access', 'rollout', 'payloads'];
  return [
    '/',
    '/?q=number+77',
    '/?type=nlp&status=active&sort=-calls',
    '/?page=80',
    `/algorithms/${algorithm}`,
    ...tabs.map((tab) => `/algorithms/${algorithm}?tab=${tab}`),
    `/calls/${call}`,
    '/history',
    '/history?status=failed',
    `/history?algorithm=${algorithm}`,
    '/statistics',
    '/dashboard',
    '/dashboard?range=15m',
    '/dashboard?range=30d',
    '/keys',
    '/account',
    '/pages/llm/test-data',
    '/pages/monitoring/system',
    '/administration/algorithms',
    '/administration/algorithms/new',
    '/administration/algorithms?q=number+77&page=2',
    `/administration/algorithms/${algorithm}`,
    ...managing.map((tab) => `/administration/algorithms/${algorithm}?tab=${tab}`),
    `/administration/algorithms/${algorithm}/versions/${version}`,
    '/administration/users',
    '/administration/users?q=person+9&page=2',
    `/administration/users/${user}`,
    '/administration/groups',
    `/administration/groups/${group}`,
    '/administration/keys',
    '/administration/repositories',
    '/administration/repositories/hosting',
    '/administration/gateway',
    '/administration/gateway/limits',
    '/administration/gateway/blocks',
    '/administration/gateway/circuits',
    '/administration/gateway/check',
    '/administration/transfer',
    '/administration/audit',
    '/administration/audit?kind=algorithm',
    '/administration/plugins',
    '/administration/plugins/catalogue',
    '/administration/settings',
  ];
}

/** Screens for those who are not signed in, which show nothing of what the installation holds. */
const BEFORE_SIGN_IN = ['/sign-in', '/sign-in/$providerId', '/register', '/reset'];

const skipped = browserPath ? '' : ' (skipped: no Chromium here; install it, or name one in CHROMIUM_PATH)';

onEveryEngine((engine) => {
  describe(`an installation of 10,000 algorithms, 1,000 users and 1,000,000 calls${skipped}`, function () {
    this.timeout(FILLED_WITHIN_MS);
    let scratch: Scratch;
    let service: ServiceProcess;
    let browser: Browser;
    let watched: WatchedPage;
    let ids: Ids;

    before(async function () {
      if (browserPath === undefined) return this.skip();
      scratch = await makeScratch(engine);
      const kernel = await startTestKernel({ engine, scratch, plugins: await builtInPlugins() });
      const admin = await signIn(kernel.rootUrl, 'admin');
      const users = await fillUsers(admin);
      const called = await fillCalled(admin);
      const { id: group } = await admin.post<{ id: string }>('/groups', { name: 'Everybody' });
      await fillHistory(kernel, { records: CALLS, busyUser: admin.id, others: users, algorithms: called });
      await kernel.stop();
      service = await startService({ DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl });
      const { history } = await (
        await signIn(service.url, 'admin')
      ).get<{ history: readonly { id: string }[] }>('/history/user-calls?limit=1');
      ids = {
        algorithm: called[3]!.id,
        version: called[3]!.versionId,
        user: users[7]!,
        group,
        call: history[0]!.id,
      };
      browser = await launchBrowser();
      watched = await openPage(browser, service.url);
      const session = { username: 'admin', password: 'correct horse battery' };
      const headers = { origin: service.url };
      await watched.page.request.post('/api/v1/users/session', { data: session, headers });
    });

    after(async () => {
      await watched?.close();
      await browser?.close();
      await service?.end();
      await scratch?.remove();
    });

    it('opens every screen in the time that a person waits, and tells how long each took', async () => {
      const slow: string[] = [];
      for (const path of screens(ids)) {
        const { opened, answers } = await timesOf(watched.page, path);
        const slowest = answers[0] ?? { name: 'nothing', duration: 0 };
        process.stderr.write(`      ${opened} ms  ${path}  (${slowest.duration} ms for ${slowest.name})\n`);
        if (opened > OPEN_WITHIN_MS) slow.push(`${path} took ${opened} ms`);
      }
      expect(slow).to.deep.equal([]);
      expect(watched.faults).to.deep.equal([]);
    });

    it('has a screen for each route of the console', () => {
      const opened = screens(ids).map((path) => path.split('?')[0]!);
      const patterns = routePatterns();
      const missing = patterns.filter((pattern) => !opened.some((path) => pattern.test(path))).map(String);
      expect(patterns.length).to.be.above(25);
      expect(missing).to.deep.equal([]);
    });
  });
});

async function fillUsers(admin: AccountClient): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= USERS; number += 1) {
    const username = `person-${number}`;
    const account = { username, email: `${username}@example.org`, password: 'correct horse battery' };
    ids.push((await admin.post<{ id: string }>('/users', account)).id);
  }
  return ids;
}

/** Fills the catalogue, and answers the algorithms that were called, each with its version. */
async function fillCalled(admin: AccountClient): Promise<readonly { id: string; versionId: string }[]> {
  const ids = await fillCatalogue(admin, ALGORITHMS);
  const called: { id: string; versionId: string }[] = [];
  for (const id of ids.slice(0, CALLED)) {
    const version = await admin.post<{ id: string }>(`/algorithms/${id}/versions`, {
      version: '1.0.0',
      url: 'http://127.0.0.1:9/labels',
      input_schema: { type: 'object', properties: { text: { type: 'string', default: 'A glass cabinet.' } } },
      is_default: true,
    });
    called.push({ id, versionId: version.id });
  }
  return called;
}

interface Times {
  /** From the address to the screen with everything on it, in milliseconds. */
  readonly opened: number;
  /** What the screen asked of the service, slowest first. */
  readonly answers: readonly { readonly name: string; readonly duration: number }[];
}

const UNFINISHED = 'main :is(.skeleton, [aria-busy=true])';
const ANSWERS = `performance.getEntriesByType('resource')
  .filter(({ name, initiatorType }) => initiatorType === 'fetch' && name.includes('/api/'))
  .map(({ name, duration }) => ({ name: new URL(name).pathname + new URL(name).search, duration: Math.round(duration) }))
  .sort((one, other) => other.duration - one.duration)`;

async function timesOf(page: Page, path: string): Promise<Times> {
  const began = performance.now();
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  // What a part that was loaded late shows first is unfinished, too.
  let opened: number;
  do {
    await page.locator(UNFINISHED).first().waitFor({ state: 'detached' });
    opened = Math.round(performance.now() - began);
    await pause(SETTLED_MS);
  } while ((await page.locator(UNFINISHED).count()) > 0);
  return { opened, answers: await page.evaluate(ANSWERS) };
}

/** What the addresses of screens look like; routes within others tell only how theirs end. */
function routePatterns(): readonly RegExp[] {
  return Object.entries(ROUTES).flatMap(([file, before]) =>
    [...readFileSync(join(WEB, file), 'utf8').matchAll(/^ {2}path: '\/?([^']*)',$/gm)]
      .map(([, path]) => path!)
      // The first screen of others, and what is around screens.
      .filter((path) => path !== '' && path !== 'administration')
      .filter((path) => !BEFORE_SIGN_IN.includes(`/${path}`))
      .map((path) => new RegExp(`^${before}(/.*)?/${path.replaceAll(/\$\w+/g, '[^/]+')}$`)),
  );
}
