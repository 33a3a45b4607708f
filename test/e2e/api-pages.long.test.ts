import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { describeConsole, PASSWORD } from '../support/console.ts';
import { OPERATIONS_IN_ORDER } from '../support/operations-in-order.ts';

/** What needs more than a fresh installation has: the status of the answer and the code of the problem. */
const REFUSED: Readonly<Record<string, string>> = {
  // The server of the example has no access token.
  testCodeHosting: '503 code_host_not_configured',
  createHostedRepository: '503 code_host_not_configured',
  updateHostedRepository: '404 hosted_repository_not_found',
  // A fresh installation has no second version that could be a canary.
  promoteGatewayCanary: '409 gateway_route_without_canary',
  // The token of the example belongs to no link, and no mail server is set.
  confirmPasswordReset: '409 link_ended',
  requestPasswordReset: '503 password_reset_unavailable',
  // No provider is configured, and nobody is linked to one.
  beginSignIn: 'not filled in',
  finishSignIn: 'not filled in',
  deleteSignInLink: 'not filled in',
  // The account that was created before it never signed in.
  endUserSession: '404 session_not_found',
  // An operation before them has signed the reader out.
  signOutOfProvider: '401 invalid_credentials',
  endAllSessions: '401 invalid_credentials',
  deleteCurrentUser: '401 invalid_credentials',
};

/** Operations that answer a token, the second one in the place of the first. */
const ANSWER_TOKENS = new Set(['loginUser', 'changePassword']);

describeConsole('the API pages in a browser', ({ open }) => {
  it('have every operation succeed as it is prefilled, from the first account on', async function () {
    this.timeout(1_800_000);
    const { page, faults } = await open('/docs');
    const tags = await tagsByOperation(page);
    const found: Record<string, string> = {};
    for (const operationId of OPERATIONS_IN_ORDER) {
      const block = await show(page, tags.get(operationId)!, operationId);
      const outcome = await execute(block);
      if (outcome !== '200') found[operationId] = outcome;
      if (ANSWER_TOKENS.has(operationId)) await authorise(page, (await answerIn(block)).access_token);
      await block.locator('.opblock-summary-control').click();
    }
    const { describeImage = '200', ...others } = found;
    expect(others).to.deep.equal(REFUSED);
    // Where there is no internet, there is no picture.
    expect(describeImage).to.be.oneOf(['200', '422 image_unusable']);
    expect(faults).to.deep.equal([]);
  });

  it('fill in the id that was answered last, unless the reader typed one', async function () {
    this.timeout(300_000);
    const { page } = await open('/docs');
    const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
    for (const path of ['register', 'session'])
      await page.request.post(`/api/v1/users/${path}`, { data: account });
    const create = await show(page, 'api-keys', 'createApiKey');
    const remove = await show(page, 'api-keys', 'deleteApiKey');
    const field = remove.getByPlaceholder('key_id');
    await remove.getByRole('button', { name: 'Try it out' }).click();
    expect(await field.inputValue()).to.equal('');
    expect(await execute(create)).to.equal('200');
    const { id } = await answerIn(create);
    expect(await field.inputValue()).to.equal(id);
    await field.fill('typed');
    await create.getByRole('button', { name: 'Clear' }).click();
    await create.getByRole('button', { name: 'Execute' }).click();
    await create.locator('.live-responses-table .highlight-code').first().waitFor();
    expect((await answerIn(create)).id).not.to.equal(id);
    expect(await field.inputValue()).to.equal('typed');
  });
});

/** Opens an operation. Those of one tag are shown at a time, which is much faster. */
async function show(page: Page, tag: string, operationId: string): Promise<Locator> {
  const filter = page.getByPlaceholder('Filter by tag');
  if ((await filter.inputValue()) !== tag) await filter.fill(tag);
  const block = page.locator(`[id="operations-${tag}-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  return block;
}

async function tagsByOperation(page: Page): Promise<ReadonlyMap<string, string>> {
  const document = await (await page.request.get('/api/v1/openapi.json')).json();
  const operations = Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item));
  return new Map(operations.map(({ operationId, tags }) => [operationId, tags[0]]));
}

/** Executes an operation as it is prefilled; the status, or what came instead. */
async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Try it out' }).click();
  await block.getByRole('button', { name: 'Execute' }).click();
  const status = block.locator('.live-responses-table tbody .response-col_status').first();
  const missing = block.locator('.invalid').first();
  await status.or(missing).first().waitFor();
  if (await missing.isVisible()) return 'not filled in';
  const text = (await status.innerText()).replaceAll(/\s+/g, ' ');
  return text === '200' ? text : `${text} ${(await answerIn(block)).code}`;
}

async function answerIn(block: Locator): Promise<any> {
  return JSON.parse(await block.locator('.live-responses-table .highlight-code code').first().innerText());
}

/** Enters a token as a reader does. */
async function authorise(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const bearer = page.locator('.auth-container', { hasText: 'bearer' });
  const earlier = bearer.getByRole('button', { name: 'Remove authorization' });
  if (await earlier.isVisible()) await earlier.click();
  await bearer.locator('input').fill(token);
  await bearer.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.btn-done').first().click();
}
