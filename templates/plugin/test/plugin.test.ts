import { strict as assert } from 'node:assert';
import { DATABASE } from 'vitrine';
import {
  builtInPlugins,
  onEveryEngine,
  pluginFaults,
  startTestKernel,
  type SignedInClient,
  type TestKernel,
} from 'vitrine/testing';
import { BookmarkRow } from '../src/models.ts';
import plugin from '../src/plugin.ts';

onEveryEngine((engine) => {
  let kernel: TestKernel;
  let ada: SignedInClient;
  let algorithm: string;

  beforeEach(async () => {
    kernel = await startTestKernel({
      engine,
      plugins: [...(await builtInPlugins(['users', 'catalogue', 'console'])), plugin],
      settings: { 'my-plugin': { max_bookmarks: 1 } },
    });
    ada = await kernel.signIn({ role: 'admin', username: 'ada' });
    algorithm = await newAlgorithm('Cats');
  });

  afterEach(() => kernel.stop());

  async function newAlgorithm(name: string): Promise<string> {
    const { body } = await ada.request('POST', '/algorithms', {
      body: { name, description: 'Finds cats', type: 'computer_vision' },
    });
    return body.id as string;
  }

  /** The name of the field that a JSON pointer such as `/total` points to. */
  const nameIn = (pointer: string): string => pointer.slice(1);

  const put = (client: SignedInClient, id: string, note: string) =>
    client.request('PUT', `/my-plugin/bookmarks/${id}`, { body: { note } });
  const remove = () => ada.request('DELETE', `/my-plugin/bookmarks/${algorithm}`);
  const list = async (client: SignedInClient) => (await client.request('GET', '/my-plugin/bookmarks')).body;

  /** The statuses of requests that are made at once, in ascending order. */
  async function atOnce(times: number, request: (n: number) => Promise<{ status: number }>) {
    const asked = await Promise.all(Array.from({ length: times }, (_, n) => request(n)));
    return asked.map(({ status }) => status).toSorted();
  }

  it('passes the conformance kit', async () => {
    assert.deepEqual(await pluginFaults({ plugin, engine }), []);
  });

  it('keeps one bookmark of an algorithm, whose note can change', async () => {
    await put(ada, algorithm, 'good');
    await put(ada, algorithm, 'very good');
    const { bookmarks, total } = await list(ada);
    assert.equal(total, 1);
    assert.equal(bookmarks[0].note, 'very good');
  });

  it('shows an account its own bookmarks only', async () => {
    await put(ada, algorithm, 'good');
    const other = await kernel.signIn();
    assert.deepEqual(await list(other), { bookmarks: [], total: 0 });
  });

  it('has a page in the console, whose panels show what an account has', async () => {
    await put(ada, algorithm, 'good');
    const { pages } = (await ada.request('GET', '/console/pages')).body;
    const { panels } = pages.find((page: { plugin: string }) => page.plugin === 'my-plugin');
    const panel = (name: string) => panels.find(({ title }: { title: { en: string } }) => title.en === name);
    const [figure, table] = [panel('Your bookmarks'), panel('Latest')];
    const shown = (await ada.request('GET', figure.from)).body;
    assert.equal(shown[nameIn(figure.value)], 1);
    const [row] = shown[nameIn(table.rows)];
    const cells = table.columns.map(({ value }: { value: string }) => row[nameIn(value)]);
    assert.deepEqual(cells.slice(0, 2), [algorithm, 'good']);
  });

  it('refuses an algorithm that does not exist, and more bookmarks than the setting allows', async () => {
    assert.equal((await put(ada, 'none', 'good')).body.code, 'algorithm_not_found');
    await put(ada, algorithm, 'good');
    const { status, body } = await put(ada, await newAlgorithm('Dogs'), 'good');
    assert.deepEqual([status, body.code], [409, 'my_plugin_too_many_bookmarks']);
  });

  it('keeps one bookmark of an algorithm, however many requests make it at once', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const asked = await atOnce(8, (n) => put(ada, algorithm, `note ${n}`));
      assert.deepEqual(asked, Array(8).fill(200));
      assert.equal((await list(ada)).total, 1);
      await remove();
    }
  });

  it('keeps to the setting, however many requests come at once', async () => {
    const ids = await Promise.all(['Dogs', 'Birds', 'Fish'].map(newAlgorithm));
    assert.deepEqual(await atOnce(3, (n) => put(ada, ids[n]!, 'good')), [200, 409, 409]);
    assert.equal((await list(ada)).total, 1);
  });

  it('deletes a bookmark once, however many requests ask for it at once', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await put(ada, algorithm, 'good');
      assert.deepEqual(await atOnce(4, remove), [200, 404, 404, 404]);
    }
  });

  it('deletes a bookmark once', async () => {
    await put(ada, algorithm, 'good');
    assert.equal((await remove()).status, 200);
    assert.equal((await remove()).body.code, 'my_plugin_bookmark_not_found');
  });

  it('forgets the bookmarks of an algorithm that is deleted', async () => {
    await put(ada, algorithm, 'good');
    await ada.request('DELETE', `/algorithms/${algorithm}`);
    await kernel.settled();
    assert.equal((await list(ada)).total, 0);
  });

  it('deletes the bookmarks of algorithms that are gone, and no others, when its job tidies up', async () => {
    await put(ada, algorithm, 'good');
    await BookmarkRow.query(kernel.get(DATABASE).knex).insert({
      user_id: ada.id,
      algorithm_id: 'gone',
      note: 'its deletion was not heard',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    await kernel.runJob('my-plugin:tidy');
    const { bookmarks } = await list(ada);
    assert.deepEqual(
      bookmarks.map((bookmark: { algorithm_id: string }) => bookmark.algorithm_id),
      [algorithm],
    );
  });
});
