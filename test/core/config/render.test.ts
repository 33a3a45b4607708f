import { expect } from 'chai';
import Type from 'typebox';
import { parse } from 'yaml';
import { renderDefaults, renderReference } from '../../../core/config/render.ts';
import { defineSettings, setting } from '../../../core/config/settings.ts';

const Gate = defineSettings('gate', {
  height: setting(Type.Integer({ minimum: 1 }), { default: 3, description: 'Its height in metres' }),
  guards: setting(Type.Array(Type.String()), { default: ['a|b', 'c'], description: 'Who stands there.' }),
  word: setting(Type.String(), { default: '', secret: true, description: 'The password.' }),
});

describe('config/default.yaml', () => {
  it('holds every setting with its default', () => {
    expect(parse(renderDefaults([Gate]))).to.deep.equal({
      gate: { height: 3, guards: ['a|b', 'c'], word: '' },
    });
  });

  it('has a line on each: sentence, expected value, environment name', () => {
    expect(renderDefaults([Gate])).to.contain(
      '  # Its height in metres. A whole number of at least 1. Environment: GATE_HEIGHT\n  height: 3\n',
    );
  });

  it('names the variable for the file of a secret', () => {
    expect(renderDefaults([Gate])).to.contain('GATE_WORD or GATE_WORD_FILE');
  });
});

describe('docs/settings.md', () => {
  it('has a row for each setting', () => {
    expect(renderReference([Gate])).to.contain(
      '| `height` | a whole number of at least 1 | `3` | `GATE_HEIGHT` | Its height in metres. |',
    );
  });

  it('marks secrets and shows no default for them', () => {
    expect(renderReference([Gate])).to.contain(
      '| `word` | text | none | `GATE_WORD` | The password. **Secret.** |',
    );
  });

  it('escapes what would end a cell', () => {
    expect(renderReference([Gate])).to.contain('a\\|b');
  });
});
