import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { deployedSettings } from './production.ts';

const UNIT = join(packageRoot, 'deploy/vitrine.service');

/** The settings of the section `Service`; a name that occurs twice has both values. */
function serviceOf(text: string): ReadonlyMap<string, readonly string[]> {
  const section = /^\[Service\]$([\s\S]*?)^\[/m.exec(text)![1]!;
  const settings = new Map<string, string[]>();
  for (const [, name, value] of section.matchAll(/^([A-Za-z]+)=(.*)$/gm))
    settings.set(name!, [...(settings.get(name!) ?? []), value!]);
  return settings;
}

describe('the unit for systemd', () => {
  const text = readFileSync(UNIT, 'utf8');
  const service = serviceOf(text);
  const value = (name: string): string | undefined => service.get(name)?.[0];

  it('runs as a user without rights, who writes into one directory', () => {
    expect(value('User')).to.equal('vitrine');
    const protections = {
      NoNewPrivileges: 'true',
      ProtectSystem: 'strict',
      ProtectHome: 'true',
      PrivateTmp: 'true',
      PrivateDevices: 'true',
      CapabilityBoundingSet: '',
      RestrictNamespaces: 'true',
      RestrictSUIDSGID: 'true',
      LockPersonality: 'true',
      UMask: '0077',
      StateDirectory: 'vitrine',
    };
    for (const [name, wanted] of Object.entries(protections)) expect(value(name), name).to.equal(wanted);
    expect(service.get('SystemCallFilter')![0]).to.equal('@system-service');
    expect(service.has('MemoryDenyWriteExecute')).to.equal(false);
  });

  it('starts closed, with settings that exist and no secret', async () => {
    const { all } = await deployedSettings();
    const pairs = value('Environment')!
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]);
    const known = new Map(all.map((setting) => [setting.env, setting]));
    for (const [name] of pairs.filter(([name]) => name !== 'NODE_ENV')) {
      expect(known.has(name), name).to.equal(true);
      expect(known.get(name)!.isSecret, name).to.equal(false);
    }
    expect(Object.fromEntries(pairs)).to.include({
      HOST: '127.0.0.1',
      DATA_DIR: `/var/lib/${value('StateDirectory')}`,
      USERS_REGISTRATION: 'false',
      USERS_FIRST_IS_ADMIN: 'false',
    });
  });

  it('starts the service as npm start does, and gives it time to stop', () => {
    const { start } = (
      JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      }
    ).scripts;
    expect(value('ExecStart')).to.equal(`/usr/bin/${start}`);
    expect(Number(value('TimeoutStopSec'))).to.be.at.least(60);
  });

  it('is one that systemd understands (where it is installed)', function () {
    if (spawnSync('systemd-analyze', ['--version']).error) this.skip();
    this.timeout(20_000);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', UNIT], {
      encoding: 'utf8',
    });
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('vitrine.service'));
    // Of a machine where it is not installed: no such program, user or directory.
    const faults = lines.filter((line) => !/is not executable|No such file|Unit .* not found/.test(line));
    expect(faults).to.deep.equal([]);
  });
});
