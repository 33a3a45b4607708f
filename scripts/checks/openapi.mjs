/** Validates the OpenAPI document that the built service describes itself with, every built-in plugin switched on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../prepare/files.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'vitrine-openapi-'));
try {
  const document = execFileSync(process.execPath, ['dist/cli/main.js', 'openapi'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: scratch },
  });
  const operations = Object.values(JSON.parse(document).paths).flatMap(Object.keys).length;
  const file = join(scratch, 'openapi.json');
  writeFileSync(file, document);
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', '.redocly.yaml', file],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  console.log(`${operations} operations`);
  process.exitCode = status === 0 && operations > 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
