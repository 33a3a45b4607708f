import { join } from 'node:path';
import { expect } from 'chai';
import type { APIRequestContext, Page } from 'playwright-core';
import type { Hands } from './console-hands.ts';
import { accessibilityFaults, type WatchedPage } from './browser.ts';
import { overflow, PASSWORD, type ConsoleStage } from './console.ts';

/** What the tests of the administration ask of the API, with the session of a page. */
export interface Caller {
  /** Answers what the service answers; throws where it refuses. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  call(method: string, path: string, data?: object): Promise<any>;
}

/** A page on which the administrator `ada` is signed in, and her way to the API. */
export async function asAdministrator(
  stage: ConsoleStage,
  { look }: Partial<Pick<Hands, 'look'>> = {},
): Promise<WatchedPage & Caller> {
  const watched = await stage.open('/register', look);
  await stage.signUp(watched.page);
  return { ...watched, ...callerOn(stage, watched.page) };
}

/** A page on which an account is signed in that has the password of all tests. */
export async function signedInAs(stage: ConsoleStage, username: string): Promise<WatchedPage & Caller> {
  const watched = await stage.open('/sign-in');
  const caller = callerOn(stage, watched.page);
  await caller.call('POST', '/users/session', { username, password: PASSWORD });
  await watched.page.goto('/');
  return { ...watched, ...caller };
}

/** Creates accounts with the password of all tests; answers them by their names. */
export async function createUsers(
  { call }: Caller,
  ...names: readonly string[]
): Promise<Readonly<Record<string, { readonly id: string }>>> {
  const made: Record<string, { readonly id: string }> = {};
  for (const username of names) {
    const account = { username, email: `${username}@example.org`, password: PASSWORD };
    made[username] = await call('POST', '/users', account);
  }
  return made;
}

const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished),
)`;

/**
 * Looks at a screen in the light and in the dark, on a phone, and in Chinese; fails where axe-core finds something, or where it
 * is wider than the window. `SCREENSHOTS` names a folder for pictures of it.
 */
export async function inEveryLook(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  const look = async (how: string): Promise<void> => {
    // Colours that are on their way from one scheme to the other are nobody's.
    await page.evaluate(TRANSITIONS_END);
    if (folder) await page.screenshot({ path: join(folder, `${name}-${how}.png`), fullPage: true });
    expect(await accessibilityFaults(page), how).to.deep.equal([]);
    expect(await overflow(page), how).to.equal(0);
  };
  await look('light');
  await inScheme(page, 'dark');
  await look('dark');
  await inScheme(page, 'light');
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await look('phone');
  await page.setViewportSize(size);
  await inLanguage(page, '简体中文', 'zh-CN');
  await look('chinese');
  await inLanguage(page, 'English', 'en');
}

async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
}

async function inLanguage(page: Page, language: string, tag: string): Promise<void> {
  await page.locator('[popovertarget=menu]').click();
  await page.getByRole('button', { name: language }).click();
  await page.locator(`html[lang=${tag}]`).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
}

/** Lets a page look away for a while, so that it asks for what has changed when somebody looks again. Its clock is installed. */
export async function lookAgain(page: Page): Promise<void> {
  await page.clock.fastForward(20_000);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
}

/** Signs in again in the dialog that a session which has ended leaves behind. */
export async function signInAgain(page: Page, username = 'ada'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** The main menu of a page. */
export const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** The sections of the administration. */
export const sectionsOf = (page: Page) => page.getByRole('navigation', { name: 'Administration' });

function callerOn({ service }: ConsoleStage, page: Page): Caller {
  const { request }: { readonly request: APIRequestContext } = page;
  return {
    call: async (method, path, data) => {
      const answer = await request.fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: { origin: service.url },
        ...(data && { data }),
      });
      const body = await answer.json();
      if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${JSON.stringify(body)}`);
      return body;
    },
  };
}
