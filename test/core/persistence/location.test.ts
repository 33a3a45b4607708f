import { resolve } from 'node:path';
import { expect } from 'chai';
import { locate } from '../../../core/persistence/location.ts';
import { DatabaseSettings } from '../../../core/persistence/settings.ts';
import { complaintsOf } from '../../support/complaints.ts';

describe('persistence: DATABASE_URL', () => {
  it('means a file in the data directory when it is empty', () => {
    expect(locate('', './data')).to.deep.equal({ engine: 'sqlite', file: resolve('data/vitrine.db') });
  });

  it('takes a relative path from the working directory', () => {
    expect(locate('sqlite:some/file.db', '/elsewhere')).to.deep.equal({
      engine: 'sqlite',
      file: resolve('some/file.db'),
    });
  });

  it('takes an absolute path with one slash or three', () => {
    expect(locate('sqlite:/var/a.db', '.')).to.deep.equal({ engine: 'sqlite', file: '/var/a.db' });
    expect(locate('sqlite:///var/a.db', '.')).to.deep.equal({ engine: 'sqlite', file: '/var/a.db' });
  });

  it('shows a PostgreSQL server without its credentials', () => {
    const location = locate('postgresql://ann:secret@db.example:5433/shop?sslmode=require', '.');
    expect(location).to.include({ engine: 'postgres', shown: 'db.example:5433/shop' });
  });

  it('leaves out a name of the connections, and nothing else', () => {
    const url = 'postgres://ann:p%40ss@h:1/shop?application_name=front&sslmode=require';
    const options = 'options=-c%20search_path%3Dours';
    expect(locate(url, '.')).to.include({ connectionString: url.replace('application_name=front&', '') });
    expect(locate(`postgres://h/shop?${options}`, '.')).to.include({
      connectionString: `postgres://h/shop?${options}`,
    });
  });

  for (const url of [
    'mysql://ann:secret@host/db',
    'sqlite:',
    'sqlite::memory:',
    'postgres://ann:secret@:x/y',
    'postgres://ann:my@secret/x@host/db',
    'postgres://ann:secret/x@host/db',
    'postgres://ann:1234/secret@host/db',
    'postgres://ann:1234?secret@host/db',
    'postgres://ann:1234#secret@host/db',
    'postgres://secret/x@host/db',
    'ann:secret@host/db',
    'postgres//ann:secret@host/db',
    'postgres://',
    'postgresql:///',
    'nonsense',
  ]) {
    it(`refuses ${url.replace('secret', '…')} and names the variable, never the password`, () => {
      const complaint = complaintsOf(DatabaseSettings, { url });
      expect(complaint).to.match(/"database\.url" .*DATABASE_URL/);
      expect(complaint).not.to.match(/secret/);
    });
  }

  for (const url of [
    '',
    'sqlite:some/file.db',
    'postgres://host',
    'postgres://host/db',
    'postgres://?host=/run/postgresql',
    'postgresql:///db?host=/run/postgresql',
    'postgres://ann:p@ss@host/db',
    'postgres://ann:p%2Fss%40@host/db?sslmode=require',
  ]) {
    it(`takes "${url}"`, () => {
      expect(complaintsOf(DatabaseSettings, { url })).to.equal('');
    });
  }
});
