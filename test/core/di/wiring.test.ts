import { expect } from 'chai';
import { contribute, extensionPoint, optional, service, token } from '../../../core/index.ts';
import type { Service } from '../../../core/di/service.ts';
import { wire } from '../../../core/di/container.ts';
import { boundValue, type Module } from '../../../core/di/module.ts';

const A = token<string>('alpha:a');
const B = token<string>('beta:b');
const LIST = extensionPoint<string>('alpha:list');

function module(plugin: string, parts: Partial<Module> = {}): Module {
  return {
    plugin,
    requires: [],
    optional: [],
    services: [],
    opens: [],
    contributions: [],
    emits: [],
    listensTo: [],
    values: [],
    users: [],
    ...parts,
  };
}

const a = service({ token: A, deps: {}, create: () => 'a' });
const bOnA = service({ token: B, deps: { a: A }, create: (deps) => `b on ${deps.a}` });

describe('wiring', () => {
  it('hands a factory its dependencies by name', () => {
    const wiring = wire([
      module('alpha', { services: [a] }),
      module('beta', { requires: ['alpha'], services: [bOnA] }),
    ]);
    expect(wiring.get(B)).to.equal('b on a');
  });

  it('makes each service once, at boot', () => {
    let made = 0;
    const counted = service({ token: A, deps: {}, create: () => `a${(made += 1)}` });
    const wiring = wire([module('alpha', { services: [counted] })]);
    expect([made, wiring.get(A), wiring.get(A)]).to.deep.equal([1, 'a1', 'a1']);
  });

  it('resolves an optional token of an absent plugin to undefined', () => {
    const lonely = service({ token: B, deps: { a: optional(A) }, create: (deps) => `with ${deps.a}` });
    expect(wire([module('beta', { optional: ['alpha'], services: [lonely] })]).get(B)).to.equal(
      'with undefined',
    );
  });

  it('names a service whose factory is asynchronous, and the way out', () => {
    const late = service({ token: A, deps: {}, create: (async () => 'a') as never });
    expect(() => wire([module('alpha', { services: [late] })])).to.throw(
      'Plugin "alpha" could not make its service "alpha:a": "create" answered a promise. Make it at once, and wait in "start".',
    );
  });

  it('names a contribution whose factory answers nothing', () => {
    const nothing = contribute(LIST, { deps: {}, create: (() => undefined) as never });
    const alpha = module('alpha', { opens: [LIST] });
    expect(() => wire([alpha, module('beta', { requires: ['alpha'], contributions: [nothing] })])).to.throw(
      'Plugin "beta" could not make its contribution to "alpha:list": "create" answered nothing. Return the entry.',
    );
  });

  it('orders contributions by their order, then by boot order', () => {
    const put = (name: string, order: number) => contribute(LIST, { deps: {}, create: () => name, order });
    const wiring = wire([
      module('alpha', { opens: [LIST], contributions: [put('first', 0), put('last', 9)] }),
      module('beta', { requires: ['alpha'], contributions: [put('second', 0), put('before all', -1)] }),
    ]);
    const { list } = wiring.resolve('alpha', { list: LIST });
    expect(list).to.deep.equal(['before all', 'first', 'second', 'last']);
  });

  it('refuses two contributions with a key that must be unique, and names both plugins', () => {
    const schemes = extensionPoint<readonly string[]>('alpha:schemes', { keysOf: (entry) => entry });
    const put = (...keys: string[]) => contribute(schemes, { deps: {}, create: () => keys });
    const alpha = module('alpha', { opens: [schemes], contributions: [put('http', 'https')] });
    const beta = (...keys: string[]) =>
      module('beta', { requires: ['alpha'], contributions: [put(...keys)] });
    expect(() => wire([alpha, beta('grpc')])).not.to.throw();
    expect(() => wire([alpha, beta('grpc', 'https')]))
      .to.throw(
        'Plugin "beta" contributes "https" to "alpha:schemes", which "alpha" contributes already. Rename it, or switch one of the plugins off.',
      )
      .with.property('plugins')
      .that.deep.equals(['beta']);
    expect(() => wire([alpha, beta('grpc', 'grpc')])).to.throw(
      'Plugin "beta" contributes "grpc" to "alpha:schemes" twice. Leave one out.',
    );
  });

  describe('of an entry that the compiler would refuse', () => {
    interface Speaker {
      readonly name?: string;
      speak(): string;
      listen?(): void;
    }
    const speakers = extensionPoint<Speaker>('alpha:speakers', {
      methods: ['speak', 'listen?'],
      faultOf: ({ name }) => (name === '' ? 'has no name; give it one' : undefined),
    });
    const wired = (entry: unknown) => () =>
      wire([
        module('alpha', { opens: [speakers] }),
        module('beta', {
          requires: ['alpha'],
          contributions: [contribute(speakers, { deps: {}, create: () => entry as Speaker })],
        }),
      ]);
    const speak = (): string => 'hello';

    it('accepts one with what it needs', () => {
      expect(wired({ speak })).not.to.throw();
      expect(wired({ speak, listen: () => undefined })).not.to.throw();
    });

    for (const [title, entry, sentence] of [
      ['misses a function', {}, '"speak" of the entry must be a function, but is undefined.'],
      [
        'has something else instead',
        { speak, listen: 'no' },
        '"listen" of the entry must be a function, but is string.',
      ],
      ['has a fault that the owner knows', { speak, name: '' }, 'The entry has no name; give it one.'],
    ] as const) {
      it(`names the plugin of one that ${title}`, () => {
        expect(wired(entry))
          .to.throw(`Plugin "beta" could not make its contribution to "alpha:speakers": ${sentence}`)
          .with.property('plugins')
          .that.deep.equals(['beta']);
      });
    }
  });

  it('makes each contribution at boot, though no service uses its point', () => {
    let made = 0;
    const counted = contribute(LIST, { deps: {}, create: () => `entry ${(made += 1)}` });
    const list = module('alpha', {
      opens: [LIST],
      contributions: [counted],
      users: [{ name: 'the command "show"', deps: { list: LIST } }],
    });
    const wiring = wire([list]);
    expect(made).to.equal(1);
    expect(wiring.resolve('alpha', { list: LIST })).to.deep.equal({ list: ['entry 1'] });
    const fails = contribute(LIST, {
      deps: {},
      create: () => {
        throw new Error('no ink');
      },
    });
    expect(() => wire([{ ...list, contributions: [fails] }])).to.throw(
      'Plugin "alpha" could not make its contribution to "alpha:list": no ink',
    );
  });

  it('refuses a contribution to a point that its owner does not open', () => {
    const lost = contribute(LIST, { deps: {}, create: () => 'lost' });
    const beta = module('beta', { optional: ['alpha'], contributions: [lost] });
    expect(() => wire([module('alpha', { opens: [extensionPoint('alpha:other')] }), beta])).to.throw(
      'Plugin "beta" contributes to "alpha:list", which "alpha" does not open. Its extension points are: "alpha:other".',
    );
    expect(() => wire([beta])).not.to.throw();
  });

  it('refuses a listener to an event that its owner does not emit', () => {
    const beta = module('beta', { optional: ['alpha'], listensTo: [{ id: 'alpha:rang' }] });
    expect(() => wire([module('alpha', { emits: [{ id: 'alpha:sang' }] }), beta])).to.throw(
      'Plugin "beta" listens to "alpha:rang", which "alpha" does not emit. Its events are: "alpha:sang".',
    );
    expect(() => wire([beta])).not.to.throw();
  });

  it('resolves an extension point without contributions to an empty list', () => {
    const counting = service({
      token: A,
      deps: { list: LIST },
      create: ({ list }) => `${list.length} entries`,
    });
    expect(wire([module('alpha', { services: [counting] })]).get(A)).to.equal('0 entries');
  });

  it('gives each plugin its own value under a shared token', () => {
    const LOG = token<string>('core:log');
    const own = (plugin: string, made: Service): Module =>
      module(plugin, { services: [made], values: [boundValue(LOG, `log of ${plugin}`, true)] });
    const wiring = wire([
      own('alpha', service({ token: A, deps: { log: LOG }, create: ({ log }) => log })),
      own('beta', service({ token: B, deps: { log: LOG }, create: ({ log }) => log })),
    ]);
    expect([wiring.get(A), wiring.get(B)]).to.deep.equal(['log of alpha', 'log of beta']);
  });

  const faulty: readonly (readonly [string, readonly Module[], string])[] = [
    [
      'a token of a plugin that was not declared',
      [module('alpha', { services: [a] }), module('beta', { services: [bOnA] })],
      'Plugin "beta": service "beta:b" uses "alpha:a" but "alpha" is not among its requires or optional.',
    ],
    [
      'an event of a plugin that was not declared',
      [
        module('alpha', { emits: [{ id: 'alpha:rang' }] }),
        module('beta', { listensTo: [{ id: 'alpha:rang' }] }),
      ],
      'Plugin "beta" listens to "alpha:rang" but "alpha" is not among its requires or optional.',
    ],
    [
      'a token that no plugin provides',
      [module('alpha'), module('beta', { requires: ['alpha'], services: [bOnA] })],
      'Plugin "beta": service "beta:b" needs "alpha:a", which no plugin provides.',
    ],
    [
      'an optional plugin’s token used as if it were always there',
      [module('alpha', { services: [a] }), module('beta', { optional: ['alpha'], services: [bOnA] })],
      'wrap it in optional(…)',
    ],
    [
      'a token bound twice',
      [module('alpha', { services: [a, a] })],
      'The token "alpha:a" is bound by "alpha" and by "alpha".',
    ],
    [
      'a token bound by another plugin than its owner',
      [module('beta', { services: [a] })],
      'Plugin "beta" binds "alpha:a", which belongs to "alpha".',
    ],
    [
      'services that need each other in a circle',
      [
        module('alpha', {
          requires: ['beta'],
          services: [service({ token: A, deps: { b: B }, create: ({ b }) => b })],
        }),
        module('beta', { requires: ['alpha'], services: [bOnA] }),
      ],
      'alpha:a → beta:b → alpha:a',
    ],
    [
      'a user that says no dependencies',
      [module('alpha', { users: [{ name: 'the health check "mood"', deps: undefined as never }] })],
      'Plugin "alpha": the health check "mood" does not say its deps',
    ],
    [
      'a dependency that is no token',
      [
        module('alpha', {
          services: [service({ token: A, deps: { b: undefined as never }, create: () => 1 as never })],
        }),
      ],
      'Plugin "alpha": service "alpha:a" has a dependency "b" that is no token. Is it imported?',
    ],
    [
      'a factory that throws, and names it where another asked for what it makes',
      [
        module('alpha', {
          opens: [LIST],
          services: [service({ token: A, deps: { list: LIST }, create: () => 1 as never })],
        }),
        module('beta', {
          requires: ['alpha'],
          contributions: [
            contribute(LIST, {
              deps: {},
              create: () => {
                throw new Error('no disk');
              },
            }),
          ],
        }),
      ],
      'Plugin "beta" could not make its contribution to "alpha:list": no disk',
    ],
    [
      'a factory that throws',
      [
        module('alpha', {
          services: [
            service({
              token: A,
              deps: {},
              create: () => {
                throw new Error('no disk');
              },
            }),
          ],
        }),
      ],
      'Plugin "alpha" could not make its service "alpha:a": no disk',
    ],
  ];
  for (const [title, modules, sentence] of faulty) {
    it(`refuses ${title}, and names it`, () => {
      expect(() => wire(modules)).to.throw(sentence);
    });
  }
});
