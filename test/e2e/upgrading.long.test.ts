import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { ENDS_WITHIN_MS, runCommand, startService, type ServiceProcess } from '../support/service-process.ts';

const PAGE = readFileSync(join(packageRoot, 'docs', 'upgrading.md'), 'utf8');
/** In each of the two lists of the page, and as many for what is around them. */
const MOST_COMMANDS = 20;

/** The commands below a heading of the page, without their comments. */
function commandsBelow(heading: string): readonly string[] {
  const [, section] = PAGE.split(`\n## ${heading}\n`);
  const [, block] = /```sh\n(.*?)\n```/s.exec(section!)!;
  return block!.split('\n').map((line) => line.replace(/ +#.*/, ''));
}

describe('upgrading, as its page says', function () {
  this.timeout(MOST_COMMANDS * ENDS_WITHIN_MS);

  onEveryEngine((engine) => {
    const scratches: Scratch[] = [];
    let scratch: Scratch;
    let env: Record<string, string>;
    let service: ServiceProcess;
    let outputs: Record<string, string>;
    const file = (name: string): string => join(scratch.dataDir, name);

    before(async () => {
      scratch = await makeScratch(engine);
      scratches.push(scratch);
      for (const release of ['before', 'after']) {
        mkdirSync(file(`${release}/notes`), { recursive: true });
        writeFileSync(file(`${release}/notes/package.json`), '{ "type": "module" }');
        writeFileSync(file(`${release}/notes/plugin.js`), notesPlugin(release === 'after'));
      }
      env = {
        DATA_DIR: scratch.dataDir,
        DATABASE_URL: scratch.databaseUrl,
        BACKUP_PASSPHRASE: 'a passphrase of some length',
        PLUGINS_PATH: file('before'),
        PLUGINS_ENABLED: 'notes',
      };
      service = await startService(env);
    });
    after(async () => {
      await service.end('SIGKILL');
      for (const each of scratches) await each.remove();
    });

    /** Does what a line of the page says. */
    const follow = async (line: string, release: 'before' | 'after'): Promise<void> => {
      if (line.startsWith('vitrine ')) {
        const args = line.replace('/backups/', file('')).split(' ').slice(1);
        const { code, stdout, stderr } = await runCommand(args, env);
        expect(code, `${line}: ${stdout}${stderr}`).to.equal(0);
        outputs[line] = stdout;
      } else if (line === 'systemctl stop vitrine') {
        expect((await service.end()).code).to.equal(0);
      } else if (line === 'systemctl start vitrine') {
        service = await startService(env);
      } else if (line.startsWith('git ')) {
        env = { ...env, PLUGINS_PATH: file(release) };
      } else if (line.startsWith('mkdir newer')) {
        await putAside();
      } else throw new Error(`The page says what this test does not know: ${line}`);
    };
    const putAside = async (): Promise<void> => {
      if (engine === 'postgres') {
        const fresh = await makeScratch(engine);
        scratches.push(fresh);
        env = { ...env, DATABASE_URL: fresh.databaseUrl };
        return;
      }
      mkdirSync(file('newer'));
      const those = readdirSync(scratch.dataDir).filter((name) => name.startsWith('test.db'));
      for (const name of those) renameSync(file(name), file(join('newer', name)));
    };
    const followAll = async (heading: string, release: 'before' | 'after'): Promise<void> => {
      outputs = {};
      for (const line of commandsBelow(heading)) await follow(line, release);
    };

    const write = (token: string, text: string) =>
      clientOf(service.url).ok('POST', '/notes', { token, body: { text } });
    const answers = async (token: string): Promise<readonly unknown[]> => {
      const client = clientOf(service.url);
      const paths = ['/users/me', '/algorithms?limit=1000', '/history/user-calls', '/history/statistics'];
      return Promise.all(paths.map((path) => client.ok('GET', path, { token })));
    };
    const notes = async (token: string) => clientOf(service.url).ok('GET', '/notes', { token });
    const call = async (token: string): Promise<void> => {
      const client = clientOf(service.url);
      const { algorithms } = await client.ok('GET', '/algorithms?q=text similarity');
      const [version] = await client.ok('GET', `/algorithms/${algorithms[0].id}/versions`);
      const input_data = version.input_schema.examples[0];
      const body = { algorithm_id: algorithms[0].id, version_id: version.id, input_data };
      await client.ok('POST', '/algorithms/call', { token, body });
    };

    it('keeps everything, changes the tables before the service starts, and leads back', async () => {
      const token = await clientOf(service.url).signUp('ada');
      await call(token);
      await write(token, 'from before');
      const before = await answers(token);

      await followAll('Step by step', 'after');
      expect(outputs['vitrine migrate status']).to.match(/notes +0002_length +pending/);
      expect(outputs['vitrine migrate up']).to.equal('notes: applied 0002_length\n');
      if (engine === 'sqlite') expect(readdirSync(file('backups'))).to.have.length(1);
      expect(await answers(token)).to.deep.equal(before);
      expect(await notes(token)).to.deep.equal([{ text: 'from before', length: 11 }]);
      await call(token);
      await write(token, 'from after');

      expect((await service.end()).code).to.equal(0);
      const older = await runCommand(['start'], { ...env, PORT: '0', PLUGINS_PATH: file('before') });
      expect([older.code, older.stderr.includes('a newer one ran here')], older.stderr).to.deep.equal([
        1,
        true,
      ]);
      service = await startService(env);

      await followAll('Going back', 'before');
      expect(await answers(token)).to.deep.equal(before);
      expect(await notes(token)).to.deep.equal([{ text: 'from before' }]);
    });
  });
});

/** A plugin whose later release has another step, which changes a table with rows in it. */
function notesPlugin(isLater: boolean): string {
  const length = `
    { name: '0002_length', up: async (trx) => {
      await trx.schema.alterTable('notes_notes', (table) => void table.integer('length'));
      await trx('notes_notes').update({ length: trx.raw('length(text)') });
    } },`;
  return `
import { DATABASE, definePlugin, routesWith, Type } from 'vitrine';
const route = routesWith({ database: DATABASE });
const Note = Type.Object({ text: Type.String(), length: Type.Optional(Type.Integer()) });
export default definePlugin({
  id: 'notes', version: '${isLater ? '1.1.0' : '1.0.0'}', api: '^1.0', summary: 'Keeps notes',
  migrations: [
    { name: '0001_notes', up: (trx) =>
      trx.schema.createTable('notes_notes', (table) => void table.text('text').primary()) },${isLater ? length : ''}
  ],
  routes: [
    route({
      method: 'POST', path: '/notes', operationId: 'writeNote', summary: 'Writes a note', access: 'user',
      body: Type.Object({ text: Type.String() }), answers: Note,
      handle: async ({ body }, { database }) => {
        await database.knex('notes_notes').insert({ text: body.text });
        return body;
      },
    }),
    route({
      method: 'GET', path: '/notes', operationId: 'listNotes', summary: 'Lists the notes', access: 'user',
      answers: Type.Array(Note), handle: (_, { database }) => database.knex('notes_notes').select(),
    }),
  ],
});
`;
}
