import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { boot } from '../../../core/kernel/boot.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import type { Logger } from '../../../core/index.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';

const secret = randomBytes(32).toString('hex');

describe('kernel: the files of secrets', () => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
  });
  afterEach(() => scratch.remove());

  const write = (name: string, mode: number, text = secret): string => {
    const path = join(scratch.dataDir, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  /** What a start warns of. */
  const warnings = async (env: NodeJS.ProcessEnv): Promise<string[]> => {
    const said: string[] = [];
    const logger: Logger = { ...quiet, warn: (_, line) => void said.push(line) };
    const all = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, ...env };
    const plan = await makePlan({ env: all, cwd: scratch.dataDir, definitions: [] });
    const kernel = await boot(plan, { listen: false, logger });
    await kernel.stop();
    return said;
  };

  it('are named when every user may read them', async () => {
    const file = write('jwt', 0o644);
    expect(await warnings({ JWT_SECRET_FILE: file })).to.deep.equal([
      `Every user of this machine may read the secrets in ${file}: chmod 600 ${file}`,
    ]);
  });

  it('are passed over when only their owner, or a group too, may read them', async () => {
    for (const mode of [0o600, 0o640]) {
      expect(await warnings({ JWT_SECRET_FILE: write('jwt', mode) })).to.deep.equal([]);
    }
  });

  it('are settings files as well, when there is a secret in them', async () => {
    const open = write('open.yaml', 0o644, 'server:\n  port: 0\n');
    expect(await warnings({ VITRINE_CONFIG: open })).to.deep.equal([]);
    const settings = write('secret.yaml', 0o644, `jwt:\n  secret: ${secret}\n`);
    expect((await warnings({ VITRINE_CONFIG: settings })).join()).to.include(`chmod 600 ${settings}`);
  });

  it('are passed over when Kubernetes hands them in', async () => {
    write('mounted/..2026_01_31/jwt', 0o644);
    symlinkSync('..2026_01_31', join(scratch.dataDir, 'mounted/..data'));
    symlinkSync('..data/jwt', join(scratch.dataDir, 'mounted/jwt'));
    expect(await warnings({ JWT_SECRET_FILE: join(scratch.dataDir, 'mounted/jwt') })).to.deep.equal([]);
  });
});
