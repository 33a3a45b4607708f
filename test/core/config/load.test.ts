import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { loadConfiguration, type ConfigurationSource } from '../../../core/config/load.ts';
import { readYamlFile } from '../../../core/config/yaml-file.ts';
import { defineSettings, setting } from '../../../core/config/settings.ts';
import { StartupError, type Fault } from '../../../core/errors/startup-error.ts';

const Shop = defineSettings('shop', {
  name: setting(Type.String({ minLength: 1 }), { default: 'corner', description: 'The name over the door.' }),
  seats: setting(Type.Integer({ minimum: 0, maximum: 99 }), { default: 4, description: 'Seats.' }),
  open: setting(Type.Boolean(), { default: true, description: 'Whether it is open.' }),
  cakes: setting(Type.Array(Type.String()), { default: [], description: 'Cakes.' }),
  tables: setting(
    Type.Array(
      Type.Object(
        { number: Type.Integer({ minimum: 1, maximum: 9 }), window: Type.Optional(Type.Boolean()) },
        { additionalProperties: false },
      ),
    ),
    { default: [], description: 'Tables.' },
  ),
  codes: setting(Type.Array(Type.String()), { default: [], secret: true, description: 'Doors.' }),
  pin: setting(Type.String(), { default: '', env: 'SHOP_PIN', secret: true, description: 'The safe.' }),
  proxy: setting(Type.Union([Type.Boolean(), Type.Integer(), Type.Array(Type.String())]), {
    default: false,
    description: 'Trusted proxies.',
  }),
});

describe('loading the configuration', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  function file(name: string, text: string): string {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  }

  type Source = Partial<Omit<ConfigurationSource, 'files'>> & { readonly files?: readonly string[] };

  function load({ files = [], ...more }: Source = {}) {
    return loadConfiguration({ sections: [Shop], files: files.map(readYamlFile), env: {}, ...more });
  }

  const findings = (more: Source): readonly string[] => faults(more).map(({ message }) => message);

  function faults(more: Source): readonly Fault[] {
    try {
      load(more);
    } catch (error) {
      expect(error).to.be.instanceOf(StartupError);
      return (error as StartupError).findings;
    }
    throw new Error('Expected a StartupError.');
  }

  describe('layers', () => {
    it('uses the default of the code without any other value', () => {
      expect(load().valuesOf(Shop).name).to.equal('corner');
    });

    it('lets a later file win over an earlier one', () => {
      const files = [file('a.yaml', 'shop:\n  name: a\n  seats: 1\n'), file('b.yaml', 'shop:\n  name: b\n')];
      expect(load({ files }).valuesOf(Shop)).to.include({ name: 'b', seats: 1 });
    });

    it('lets the environment win over files', () => {
      const files = [file('a.yaml', 'shop:\n  seats: 1\n')];
      expect(load({ files, env: { SHOP_SEATS: '7' } }).valuesOf(Shop).seats).to.equal(7);
    });

    it('lets overrides win over the environment', () => {
      const overrides = { shop: { seats: 8 } };
      expect(load({ env: { SHOP_SEATS: '7' }, overrides }).valuesOf(Shop).seats).to.equal(8);
    });

    it('returns immutable values', () => {
      expect(Object.isFrozen(load().valuesOf(Shop))).to.equal(true);
    });

    it('ignores an empty file and an empty section', () => {
      const files = [file('a.yaml', '# nothing\n'), file('b.yaml', 'shop:\n')];
      expect(load({ files }).valuesOf(Shop).name).to.equal('corner');
    });
  });

  describe('the environment', () => {
    const readings: readonly [string, string, string, unknown][] = [
      ['a whole number', 'seats', '12', 12],
      ['yes for a boolean', 'open', 'yes', true],
      ['0 for a boolean', 'open', '0', false],
      ['a comma-separated list', 'cakes', 'plum, apple,,', ['plum', 'apple']],
      ['a text of digits where text is expected', 'name', '42', '42'],
      ['a text with commas where text is expected', 'name', 'a,b', 'a,b'],
      ['a text with brackets where text is expected', 'name', '["a"]', '["a"]'],
      ['a list of JSON', 'cakes', '["plum, with cream"]', ['plum, with cream']],
      ['a list of objects as JSON', 'tables', '[{"number":3}]', [{ number: 3 }]],
      ['a number where number, boolean and list are possible', 'proxy', '2', 2],
      ['true where number, boolean and list are possible', 'proxy', 'true', true],
      ['a list where number, boolean and list are possible', 'proxy', '10.0.0.0/8', ['10.0.0.0/8']],
    ];
    for (const [what, key, text, value] of readings) {
      it(`reads ${what}`, () => {
        const values: Record<string, unknown> = {
          ...load({ env: { [`SHOP_${key.toUpperCase()}`]: text } }).valuesOf(Shop),
        };
        expect(values[key]).to.deep.equal(value);
      });
    }

    it('takes an empty variable for unset', () => {
      expect(load({ env: { SHOP_SEATS: '' } }).valuesOf(Shop).seats).to.equal(4);
    });

    it('reads a secret from the file that NAME_FILE names, without its last line end', () => {
      expect(load({ env: { SHOP_PIN_FILE: file('pin', 'hush\n') } }).valuesOf(Shop).pin).to.equal('hush');
    });

    it('lists the files of the secrets that took effect', () => {
      const [pin, other] = [file('pin', 'hush'), file('other', 'hush')];
      const yaml = file('own.yaml', 'shop:\n  name: corner\n  pin: hush\n');
      const open = file('open.yaml', "shop:\n  name: corner\n  pin: ''\n");
      expect(load({ env: { SHOP_PIN_FILE: pin } }).secretFiles()).to.deep.equal([pin]);
      expect(load({ files: [yaml] }).secretFiles()).to.deep.equal([yaml]);
      expect(load({ files: [yaml], env: { SHOP_PIN_FILE: other } }).secretFiles()).to.deep.equal([other]);
      expect(load({ files: [yaml], env: { SHOP_PIN: 'hush' } }).secretFiles()).to.deep.equal([]);
      expect(load({ files: [open] }).secretFiles()).to.deep.equal([]);
    });

    it('refuses a file without a value: a secret that was not written is not one that is not set', () => {
      for (const text of ['', '\n']) {
        const pin = file('pin', text);
        expect(findings({ env: { SHOP_PIN_FILE: pin } })).to.deep.equal([
          `environment SHOP_PIN_FILE: the file ${pin} is empty. Write the value into it, or unset SHOP_PIN_FILE.`,
        ]);
      }
      expect(load({ env: { SHOP_PIN_FILE: '' } }).valuesOf(Shop).pin).to.equal('');
    });

    it('refuses NAME and NAME_FILE together', () => {
      const env = { SHOP_PIN: 'a', SHOP_PIN_FILE: file('pin', 'b') };
      expect(findings({ env })[0]).to.contain('both SHOP_PIN and SHOP_PIN_FILE are set');
    });

    it('names the variable whose secret file cannot be read', () => {
      expect(findings({ env: { SHOP_PIN_FILE: join(directory, 'none') } })[0]).to.contain('SHOP_PIN_FILE');
    });
  });

  describe('faults', () => {
    for (const [wrong, words] of [
      ['[{"number":3},{"number":12}]', 'at /1/number is 12; expected a whole number from 1 to 9'],
      ['[{}]', 'at /0/number is missing'],
      ['[{"number":3,"pin":"1234"}]', 'at /0/pin is not known'],
    ] as const) {
      it(`names the place within a list of objects: ${words}`, () => {
        const [fault, ...more] = faults({ env: { SHOP_TABLES: wrong } });
        expect(fault!.message).to.equal(
          `environment SHOP_TABLES: "shop.tables" ${words} (environment: SHOP_TABLES).`,
        );
        expect(fault!.value, 'which may hold a secret in a wrong place').to.equal('********');
        expect(more).to.deep.equal([]);
      });
    }

    it('lists all of them at once', () => {
      const files = [file('a.yaml', 'shop:\n  seats: many\n  nmae: x\nshed: {}\n')];
      expect(findings({ files, env: { SHOP_OPEN: 'perhaps' } })).to.have.length(4);
    });

    it('gives file, line, value, what is expected and the environment name of a wrong value', () => {
      const path = file('a.yaml', 'shop:\n  name: x\n  seats: many\n');
      expect(findings({ files: [path] })).to.deep.equal([
        `${path}:3: "shop.seats" is "many"; expected a whole number from 0 to 99 (environment: SHOP_SEATS).`,
      ]);
    });

    it('has file, line, setting, environment name and value of each, for programs', () => {
      const path = file('a.yaml', 'shop:\n  seats: many\n  quartz: 5\nshed: {}\n');
      const found = faults({ files: [path], env: { SHOP_OPEN: 'perhaps' } });
      const data = found.map(({ setting: of, env, file: at, line, value }) => ({
        setting: of,
        env,
        file: at,
        line,
        value,
      }));
      const none = { setting: undefined, env: undefined, file: undefined, line: undefined, value: undefined };
      expect(data).to.deep.equal([
        { ...none, file: path, line: 4 },
        { ...none, setting: 'shop.seats', env: 'SHOP_SEATS', file: path, line: 2, value: 'many' },
        { ...none, setting: 'shop.quartz', file: path, line: 3 },
        { ...none, setting: 'shop.open', env: 'SHOP_OPEN', value: 'perhaps' },
      ]);
    });

    it('masks the value of a secret, for programs', () => {
      const [fault] = faults({ files: [file('a.yaml', 'shop:\n  pin: 90210\n')] });
      expect(fault).to.include({ setting: 'shop.pin', env: 'SHOP_PIN', line: 2, value: '********' });
    });

    it('masks the credentials in an address, in its sentence and for programs', () => {
      const address = 'https://me:p@ss@host/v1';
      const text = `shop:\n  seats: ${address}\n  tables:\n    - number: ${address}\n`;
      const found = faults({ files: [file('a.yaml', text)] });
      expect(found.map(({ message }) => message.replace(/^\S+ /, ''))).to.deep.equal([
        '"shop.seats" is "https://********@host/v1"; expected a whole number from 0 to 99 (environment: SHOP_SEATS).',
        '"shop.tables" at /0/number is "https://********@host/v1"; expected a whole number from 1 to 9 (environment: SHOP_TABLES).',
      ]);
      expect(JSON.stringify(found)).not.to.match(/me:p|ss@/);
    });

    it('has the line of a syntax error, for programs', () => {
      const path = file('a.yaml', 'shop:\n  seats: 4\n  name: "x\n');
      expect(faults({ files: [path] })[0])
        .to.include({ file: path })
        .and.to.have.property('line');
    });

    it('names the variable of a wrong value from the environment', () => {
      expect(findings({ env: { SHOP_SEATS: '-1' } })[0]).to.match(
        /^environment SHOP_SEATS: "shop\.seats" is "-1"/,
      );
    });

    it('does not read text from a file as a number', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  seats: "5"\n')] })).to.have.length(1);
    });

    it('suggests the setting that was probably meant', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  seat: 5\n')] })[0]).to.contain(
        'did you mean "seats"?',
      );
    });

    it('suggests the section that was probably meant', () => {
      expect(findings({ files: [file('a.yaml', 'shopp:\n  seats: 5\n')] })[0]).to.contain(
        'did you mean "shop"?',
      );
    });

    it('suggests the one whose letters were swapped', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  oepn: true\n')] })[0]).to.contain(
        'did you mean "open"?',
      );
    });

    it('suggests nothing when nothing is near', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  quartz: 5\n')] })[0]).not.to.contain('did you mean');
    });

    it('says that a text which YAML takes for something else wants quotes', () => {
      const path = file('a.yaml', 'shop:\n  name: 5\n  pin: 90210\n  seats: yes\n');
      expect(findings({ files: [path] })).to.deep.equal([
        `${path}:2: "shop.name" is 5; expected non-empty text, so put it into quotes (environment: SHOP_NAME).`,
        `${path}:3: "shop.pin" is a secret that does not fit; expected text, so put it into quotes (environment: SHOP_PIN).`,
        `${path}:4: "shop.seats" is "yes"; expected a whole number from 0 to 99 (environment: SHOP_SEATS).`,
      ]);
    });

    it('never shows a wrong secret', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  pin: 90210\n')] })[0]).not.to.contain('90210');
    });

    describe('that only the owner of a section finds', () => {
      const Till = defineSettings(
        'till',
        {
          coins: setting(Type.Array(Type.String()), { default: [], description: 'Coins.' }),
          key: setting(Type.String(), { default: '', secret: true, description: 'A key.' }),
          lock: setting(Type.Boolean(), { default: false, description: 'Whether it is locked.' }),
        },
        ({ coins, key, lock }) => ({
          coins: coins.includes('button') ? 'holds "button", which is no coin' : undefined,
          key: lock && key === '' ? 'must be set, for till.lock is' : undefined,
        }),
      );
      const sections = [Shop, Till];

      it('are listed with those of the schemas, with their position and the environment name', () => {
        const path = file('a.yaml', 'till:\n  coins: [button]\nshop:\n  seats: many\n');
        expect(findings({ sections, files: [path], env: { TILL_LOCK: 'yes' } })).to.deep.equal([
          `${path}:4: "shop.seats" is "many"; expected a whole number from 0 to 99 (environment: SHOP_SEATS).`,
          `${path}:2: "till.coins" holds "button", which is no coin (environment: TILL_COINS).`,
          '"till.key" must be set, for till.lock is (environment: TILL_KEY).',
        ]);
      });

      it('name the variable that they come from', () => {
        expect(findings({ sections, env: { TILL_COINS: 'cent,button' } })[0]).to.match(
          /^environment TILL_COINS: "till\.coins" holds "button"/,
        );
      });

      it('are checked only in values that satisfy their schema', () => {
        expect(findings({ sections, files: [file('a.yaml', 'till:\n  coins: 5\n')] })).to.have.length(1);
      });

      it('are passed over leniently', () => {
        const settings = load({ sections, env: { TILL_LOCK: 'yes' }, lenient: true });
        expect(settings.valuesOf(Till).lock).to.equal(true);
      });
    });

    describe('where a setting is required', () => {
      const Mail = defineSettings(
        'mail',
        {
          server: setting(Type.String({ format: 'uri' }), {
            required: true,
            description: 'The server to send from.',
          }),
          port: setting(Type.Integer(), { default: 25, description: 'Its port.' }),
        },
        ({ server, port }) => ({
          port: server.startsWith('https') && port === 25 ? 'must be 465' : undefined,
        }),
      );
      const sections = [Shop, Mail];

      it('names section, key, kind and variable of one that is missing', () => {
        expect(findings({ sections })).to.deep.equal([
          '"mail.server" must be set: a URL (environment: MAIL_SERVER). The server to send from.',
        ]);
      });

      it('reports a wrong value once', () => {
        const [finding, ...others] = findings({ sections, env: { MAIL_SERVER: 'none' } });
        expect(finding).to.match(/^environment MAIL_SERVER: "mail\.server" is "none"; expected a URL/);
        expect(others).to.deep.equal([]);
      });

      it('takes its value from wherever settings come', () => {
        const values = load({ sections, env: { MAIL_SERVER: 'smtp://mail.test' } }).valuesOf(Mail);
        expect(values).to.deep.equal({ server: 'smtp://mail.test', port: 25 });
        expect(findings({ sections, env: { MAIL_SERVER: 'https://mail.test' } })).to.deep.equal([
          '"mail.port" must be 465 (environment: MAIL_PORT).',
        ]);
      });

      it('is passed over leniently', () => {
        expect(() => load({ sections, lenient: true })).to.not.throw();
      });
    });

    it('blames the plugin for a check that throws', () => {
      const Odd = defineSettings(
        'odd',
        { address: setting(Type.String(), { default: '', description: 'Where.' }) },
        ({ address }) => ({ address: new URL(address).protocol === 'https:' ? undefined : 'is no https' }),
      );
      expect(findings({ sections: [Odd] })).to.deep.equal([
        'The check of the settings "odd" threw: Invalid URL. That is a fault of the plugin "odd": tell its author.',
      ]);
    });

    it('blames the plugin for defaults that its own check refuses', () => {
      const Odd = defineSettings(
        'odd',
        { size: setting(Type.Integer(), { default: 0, description: 'The size.' }) },
        ({ size }) => ({ size: size === 0 ? 'must not be 0' : undefined }),
      );
      expect(findings({ sections: [Odd] })).to.deep.equal([
        'The default of "odd.size" must not be 0. That is a fault of the plugin "odd" and not of the configuration: tell its author, or set ODD_SIZE.',
      ]);
    });

    describe('where secrets are the same', () => {
      const Bank = defineSettings('bank', {
        pin: setting(Type.String(), { default: '', secret: true, description: 'Another safe.' }),
        name: setting(Type.String(), { default: '', description: 'No secret.' }),
      });
      const sections = [Shop, Bank];

      it('names both settings and not the secret, wherever they come from', () => {
        const env = { SHOP_PIN: '90210' };
        expect(findings({ sections, env, overrides: { bank: { pin: '90210' } } })).to.deep.equal([
          '"shop.pin" (SHOP_PIN) and "bank.pin" (BANK_PIN) are the same; each secret must be its own.',
        ]);
      });

      it('lets several be empty, and others be as they like', () => {
        const env = { SHOP_PIN: '90210', BANK_NAME: '90210' };
        expect(() => load({ sections, env })).to.not.throw();
      });
    });

    it('does not take names from the prototype of objects for settings', () => {
      expect(
        findings({ files: [file('a.yaml', 'shop:\n  constructor: 1\n  __proto__: 1\n')] }),
      ).to.have.length(2);
    });

    it('reports the position of a syntax error', () => {
      const path = file('a.yaml', 'shop:\n  name: "unclosed\n');
      expect(findings({ files: [path] })[0]).to.match(new RegExp(`^${path}:\\d+: `));
    });

    it('refuses a setting that is given twice', () => {
      expect(findings({ files: [file('a.yaml', 'shop:\n  seats: 1\n  seats: 2\n')] })[0]).to.contain(':3:');
    });

    it('refuses a section that is not a list of settings', () => {
      expect(findings({ files: [file('a.yaml', 'shop: 5\n')] })[0]).to.contain('must hold settings');
      const two = file('two.yaml', 'shop:\n  seats: 5\n---\nshop:\n  seats: 6\n');
      expect(findings({ files: [two] })).to.deep.equal([
        `${two}:3: a second document begins here. Keep one: take the line "---" out.`,
      ]);
    });

    it('names the line of a text that begins with * and has no quotes, and does not print it', () => {
      const path = file('a.yaml', 'shop:\n  name: *corner\n  cakes:\n    - *.example.org\n  pin: *hush\n');
      const sentence = 'there is no anchor for this alias. Put a text that begins with * into quotes.';
      expect(faults({ files: [path] })).to.deep.equal(
        [2, 4, 5].map((line) => ({ message: `${path}:${line}: ${sentence}`, file: path, line })),
      );
      expect(findings({ files: [file('b.yaml', 'shop: *corner\n')] })).to.have.length(1);
      expect(findings({ files: [file('c.yaml', 'shop:\n  ? [*corner]\n  : 1\n')] })).to.have.length(1);
    });

    it('takes an alias for the value of its anchor', () => {
      const path = file('a.yaml', 'shop:\n  name: &name corner\n  cakes: [*name, *name]\n');
      expect(load({ files: [path] }).valuesOf(Shop).cakes).to.deep.equal(['corner', 'corner']);
    });

    for (const [what, text] of [
      ['lead to themselves', 'shop:\n  cakes: &cakes [*cakes]\n'],
      ['are too many', `shop:\n  a: &a [x]\n  b: &b [${'*a,'.repeat(30)}]\n  cakes: [${'*b,'.repeat(30)}]\n`],
    ] as const) {
      it(`refuses aliases that ${what}`, () => {
        const path = file('a.yaml', text);
        expect(findings({ files: [path] })).to.deep.equal([
          `${path}: its aliases are too many, or lead to themselves. Write the values in their places.`,
        ]);
      });
    }

    it('refuses a file that does not exist', () => {
      expect(findings({ files: [join(directory, 'none.yaml')] })[0]).to.contain('does not exist');
    });

    it('refuses an unknown setting among the overrides', () => {
      expect(findings({ overrides: { shop: { chairs: 1 } } })[0]).to.contain('shop.chairs');
    });
  });

  describe('sections of others', () => {
    const text = 'shop:\n  seats: 5\nattic:\n  dust: 1\n';

    it('does not check the section of a plugin that is switched off', () => {
      const source = { files: [file('a.yaml', text)], ignoredSections: ['attic'] };
      expect(load(source).valuesOf(Shop).seats).to.equal(5);
    });

    it('leniently keeps what is right and passes over what is wrong', () => {
      const files = [file('a.yaml', 'shop:\n  seats: many\n  name: x\n')];
      expect(load({ files, lenient: true }).valuesOf(Shop)).to.include({ seats: 4, name: 'x' });
    });

    it('does not hand out a section that was not loaded', () => {
      const Other = defineSettings('other', {});
      expect(() => load().valuesOf(Other)).to.throw('"other"');
    });
  });

  describe('entries', () => {
    function entry(key: string, more: Source = {}) {
      return load(more)
        .entries()
        .find((candidate) => candidate.key === key);
    }

    it('have the value, its source, its environment name and its description', () => {
      expect(entry('seats')).to.deep.equal({
        section: 'shop',
        key: 'seats',
        value: 4,
        source: 'default',
        changed: false,
        env: 'SHOP_SEATS',
        description: 'Seats.',
      });
    });

    it('name file and line', () => {
      const path = file('a.yaml', 'shop:\n  seats: 5\n');
      expect(entry('seats', { files: [path] })?.source).to.equal(`${path}:2`);
    });

    it('show whether the value differs from the default, whatever its source', () => {
      expect(entry('seats', { env: { SHOP_SEATS: '5' } })?.changed).to.equal(true);
      expect(entry('seats', { env: { SHOP_SEATS: '4' } })?.changed).to.equal(false);
    });

    it('name the variable', () => {
      expect(entry('seats', { env: { SHOP_SEATS: '5' } })?.source).to.equal('SHOP_SEATS');
    });

    it('mask a secret that is set', () => {
      expect(entry('pin', { env: { SHOP_PIN: 'hush' } })?.value).to.equal('********');
      expect(entry('codes', { env: { SHOP_CODES: 'a,b' } })?.value).to.equal('********');
      expect(entry('codes', {})?.value).to.equal(null);
    });

    it('mask credentials in an address, also in a list', () => {
      const address = 'https://ada:hush@shop.example.org/a@b';
      const masked = 'https://********@shop.example.org/a@b';
      expect(entry('name', { env: { SHOP_NAME: address } })?.value).to.equal(masked);
      expect(entry('cakes', { env: { SHOP_CAKES: `plain,${address}` } })?.value).to.deep.equal([
        'plain',
        masked,
      ]);
    });

    for (const [address, masked] of [
      ['https://me:p@ss@host/v1', 'https://********@host/v1'],
      ['https://me@example.org:p@ss@host', 'https://********@host'],
      ['redis://:p@ss@host:6379/0', 'redis://********@host:6379/0'],
      ['https://me:p/s@s@host/v1', 'https://********@host/v1'],
      ['https://me:p?s#s@host/v1', 'https://********@host/v1'],
      ['https://host:8080/a:b@c?d=e@f', 'https://host:8080/a:b@c?d=e@f'],
      ['https://host/a@b', 'https://host/a@b'],
      ['https://[::1]:8080/a@b', 'https://[::1]:8080/a@b'],
    ] as const) {
      it(`show ${address} as ${masked}`, () => {
        expect(entry('name', { env: { SHOP_NAME: address } })?.value).to.equal(masked);
      });
    }

    it('show that a secret is not set', () => {
      expect(entry('pin')?.value).to.equal(null);
    });
  });
});
