import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Type from 'typebox';
import { describeApi } from '../../../core/http/openapi/document.ts';
import { routesWith, type UploadedFile } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { until } from '../../support/until.ts';
import { openSocket, startServer, type TestServer } from './support.ts';

const route = routesWith({});

describe('forms with files', () => {
  let server: TestServer;
  let received: readonly UploadedFile[];

  const upload = route({
    method: 'POST',
    path: '/uploads',
    operationId: 'upload',
    summary: 'Takes files',
    access: 'public',
    body: Type.Object({ title: Type.String({ minLength: 2 }) }),
    files: { maxCount: 2, maxBytes: 100_000 },
    answers: jsonObject(),
    handle: async ({ body, files }) => {
      received = files;
      const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
      return { title: body.title, texts: texts.sort() };
    },
  });
  const directories = async (): Promise<number> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('vitrine-form-')).length;

  let known: number;
  beforeEach(async () => {
    received = [];
    known = await directories();
    server = await startServer([upload]);
  });
  afterEach(async () => {
    await server.close();
    await until(async () => (await directories()) === known);
  });

  const form = (
    files: readonly (readonly [name: string, content: string])[],
    title = 'Pictures',
  ): FormData => {
    const data = new FormData();
    data.set('title', title);
    for (const [name, content] of files)
      data.append('files', new Blob([content], { type: 'text/plain' }), name);
    return data;
  };
  const post = (body: FormData) => server.request('POST', '/uploads', { body });

  it('reach the handler as fields and files, which are removed afterwards', async () => {
    const answer = await post(
      form([
        ['../a.txt', 'one'],
        ['b.txt', ''],
      ]),
    );
    expect(answer.body).to.deep.equal({ title: 'Pictures', texts: ['', 'one'] });
    const file = received.find(({ size }) => size === 3);
    expect(file).to.include({ field: 'files', contentType: 'text/plain' });
    expect(file!.path).to.match(/vitrine-form-/);
    expect(existsSync(file!.path)).to.equal(false);
  });

  it('are checked like any body', async () => {
    const answer = await post(form([], 'x'));
    expect(answer.status).to.equal(422);
    expect(answer.body.errors).to.deep.equal([
      { pointer: '/body/title', message: 'must have at least 2 characters.' },
    ]);
  });

  it('are refused with more files, or larger ones, than the route takes', async () => {
    const small = ['a', 'b', 'c'].map((name) => [name, 'x'] as const);
    expect((await post(form(small))).status).to.equal(413);
    const large = await post(form([['a', 'x'.repeat(100_001)]]));
    expect(large.status).to.equal(413);
    expect(large.body.detail).to.equal(
      'The form exceeds the limits of this operation: 2 files of 100000 bytes each.',
    );
    expect(received).to.deep.equal([]);
  });

  it('are refused when they are no forms, or broken ones', async () => {
    const json = await server.request('POST', '/uploads', { json: { title: 'Pictures' } });
    expect([json.status, json.body.code]).to.deep.equal([415, 'unsupported_media_type']);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const broken = await server.request('POST', '/uploads', { body: '--x\r\nno form', headers });
    expect([broken.status, broken.body.code]).to.deep.equal([400, 'malformed_form']);
    const unbounded = await server.request('POST', '/uploads', {
      body: 'x',
      headers: { 'Content-Type': 'multipart/form-data' },
    });
    expect([unbounded.status, unbounded.body.code]).to.deep.equal([400, 'malformed_form']);
  });

  it('leave no listener on their connection, which carries many', async () => {
    const socket = await openSocket(server.port);
    let answers = '';
    socket.on('data', (chunk) => (answers += chunk.toString()));
    const body = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nPictures\r\n--x--\r\n';
    const head = `POST /api/v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n`;
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    try {
      for (let sent = 1; sent <= 12; sent += 1) {
        socket.write(head + body);
        await until(() => answers.split('HTTP/1.1 200 ').length > sent);
      }
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', note);
      socket.destroy();
    }
    expect(warnings).to.deep.equal([]);
  });

  it('leave nothing behind when the client leaves half-way', async () => {
    const socket = await openSocket(server.port);
    socket.write(
      'POST /api/v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 90000\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\nContent-Type: text/plain\r\n\r\nhalf of it',
    );
    await until(async () => (await directories()) > known);
    await pause(50);
    socket.destroy();
    await until(() => server.lines.some(({ status }) => status === 499));
  });

  it('are described as such', () => {
    const document = describeApi({
      basePath: '/api/v1',
      version: '1',
      plugins: [{ id: 'demo', summary: 'Demo', routes: [upload] }],
    });
    const { post: described } = (document as any).paths['/uploads'];
    const [fields, files] = described.requestBody.content['multipart/form-data'].schema.allOf;
    expect(fields.required).to.deep.equal(['title']);
    expect(files.description).to.contain('2 files of 100000 bytes');
    expect(Object.keys(described.responses)).to.include.members(['400', '413', '415']);
  });
});
