import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './files.mjs';
import { say } from './run.mjs';

/** The types of the API, which the package exports as `vitrine/client`. */
const CLIENT = 'dist/client.d.ts';

/** Makes the types of the API from the OpenAPI document of the built service, and answers their path. */
export async function buildClient() {
  say('  the types of the API …');
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-client-'));
  try {
    const document = execFileSync(process.execPath, ['dist/cli/main.js', 'openapi'], {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: scratch },
      maxBuffer: 64 * 1024 * 1024,
    });
    const { default: openapiTypescript, astToString } = await import('openapi-typescript');
    const types = await openapiTypescript(JSON.parse(document), { alphabetize: false });
    writeFileSync(join(root, CLIENT), `${HEADER}\n${astToString(types)}`);
    return CLIENT;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const HEADER =
  '/** Every operation of the API with its types, made from the OpenAPI document: `createClient<paths>` of openapi-fetch. */';
