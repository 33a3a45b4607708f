import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { isRecord } from '../../../core/support/record.ts';
import { fromJson, type Row } from '../cell.ts';
import { BATCH } from '../row-source.ts';
import { isSame, TableDigest, type TableSum } from '../table-digest.ts';
import {
  FORMAT,
  type ArchivedTable,
  type ArchiveHeader,
  type LastLine,
  type TableEndLine,
  type TableLine,
} from './format.ts';

/** Receives the content of an archive in its order; each method is awaited. */
export interface ArchiveReader {
  header?(header: ArchiveHeader): Promise<void> | void;
  begin?(table: ArchivedTable): Promise<void> | void;
  rows?(rows: readonly Row[], table: ArchivedTable): Promise<void> | void;
  end?(sum: TableSum, table: ArchivedTable): Promise<void> | void;
}

/**
 * Reads an archive to its end and checks the number and the hash of the rows of each table. Throws `StartupError` for a
 * file that is no archive, of a newer release, incomplete or damaged; the reader may have received a part of it then.
 */
export async function readArchive(file: string, reader: ArchiveReader): Promise<ArchiveHeader> {
  const parser = new Parser(file, reader);
  try {
    for await (const text of linesOf(file)) await parser.take(text);
  } catch (error) {
    throw readFailure(file, error, parser.header !== undefined);
  }
  return parser.finish();
}

class Parser {
  readonly #file: string;
  readonly #reader: ArchiveReader;
  header: ArchiveHeader | undefined;
  #table: ArchivedTable | undefined;
  #digest: TableDigest | undefined;
  #rows: Row[] = [];
  #bytes = 0;
  #tables = 0;
  #isComplete = false;

  constructor(file: string, reader: ArchiveReader) {
    this.#file = file;
    this.#reader = reader;
  }

  async take(text: string): Promise<void> {
    const value = this.#parsed(text);
    if (this.header === undefined) await this.#takeHeader(value as Partial<ArchiveHeader>);
    else if (Array.isArray(value)) await this.#takeRow(value, text.length);
    else if (isRecord(value) && 'table' in value) await this.#takeTable(value as unknown as TableLine);
    else if (isRecord(value) && 'end' in value) await this.#takeEnd(value as unknown as TableEndLine);
    else if (isRecord(value) && 'complete' in value) this.#takeLast(value as unknown as LastLine);
    else throw damaged(this.#file, 'it has a line of no known form');
  }

  finish(): ArchiveHeader {
    if (this.header === undefined) throw noArchive(this.#file);
    if (!this.#isComplete) throw incomplete(this.#file);
    return this.header;
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.header === undefined ? noArchive(this.#file) : damaged(this.#file, (error as Error).message);
    }
  }

  async #takeHeader(header: Partial<ArchiveHeader>): Promise<void> {
    const format = isRecord(header) ? header.vitrine_backup : undefined;
    if (typeof format !== 'number') throw noArchive(this.#file);
    if (format > FORMAT) {
      throw new StartupError(
        `${this.#file} was made by Vitrine ${header.vitrine}, in format ${format}; this release reads up to format ${FORMAT}. Install that release, or a newer one.`,
      );
    }
    this.header = header as ArchiveHeader;
    await this.#reader.header?.(this.header);
  }

  async #takeTable({ table, range }: TableLine): Promise<void> {
    if (this.#table) throw damaged(this.#file, `the table ${this.#table.table.name} has no end`);
    this.#table = {
      table,
      range: range && { first: range.first.map(fromJson), last: range.last.map(fromJson) },
    };
    this.#digest = new TableDigest(table.columns.map(({ kind }) => kind));
    this.#tables += 1;
    await this.#reader.begin?.(this.#table);
  }

  async #takeRow(values: readonly unknown[], bytes: number): Promise<void> {
    if (!this.#table) throw damaged(this.#file, 'it has rows outside of a table');
    this.#rows.push(values.map(fromJson));
    this.#bytes += bytes;
    if (this.#rows.length >= BATCH.rows || this.#bytes >= BATCH.bytes) await this.#handOver(this.#table);
  }

  async #takeEnd({ end, ...sum }: TableEndLine): Promise<void> {
    const table = this.#table;
    if (table?.table.name !== end) throw damaged(this.#file, `the table ${end} has no beginning`);
    await this.#handOver(table);
    if (!isSame(sum, this.#digest!.sum())) {
      throw damaged(this.#file, `the rows of ${end} are not those that were written`);
    }
    this.#table = undefined;
    await this.#reader.end?.(sum, table);
  }

  #takeLast({ tables }: LastLine): void {
    if (this.#table || tables !== this.#tables) {
      throw damaged(this.#file, `it has ${this.#tables} tables, and should have ${tables}`);
    }
    this.#isComplete = true;
  }

  async #handOver(table: ArchivedTable): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (rows.length === 0) return;
    this.#digest!.add(rows);
    await this.#reader.rows?.(rows, table);
  }
}

/** Lines end with a line feed alone: texts in JSON may contain other separators of lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (cause) => {
    gunzip.destroy(new StartupError(`${file} cannot be read: ${cause.message}.`, [], { cause }));
  });
  let parts: Buffer[] = [];
  for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      from = at + 1;
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) throw incomplete(file);
}

function noArchive(file: string): StartupError {
  return new StartupError(`${file} is no backup that \`vitrine backup\` made. Nothing was changed.`);
}

function incomplete(file: string): StartupError {
  return new StartupError(
    `${file} is not complete: its end is missing, as after a copy that broke off. Copy it again, or use another backup.`,
  );
}

function damaged(file: string, why: string): StartupError {
  return new StartupError(`${file} is damaged: ${why}. Copy it again, or use another backup.`);
}

function readFailure(file: string, error: unknown, isArchive: boolean): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return incomplete(file);
  if (code.startsWith('Z_')) return isArchive ? damaged(file, message) : noArchive(file);
  return error;
}
