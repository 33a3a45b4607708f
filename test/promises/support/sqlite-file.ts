import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';

/** Expects that no page is damaged, in a copy, so that the service finds the file as it left it. */
export function expectSoundFile(file: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-copy-'));
  const copy = join(directory, 'copy.db');
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
  }
  const connection = new Sqlite(copy);
  try {
    expect(connection.pragma('integrity_check', { simple: true })).to.equal('ok');
  } finally {
    connection.close();
    rmSync(directory, { recursive: true });
  }
}
