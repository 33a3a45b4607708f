import { expect } from 'chai';
import Type from 'typebox';
import { misnamedVariables } from '../../../core/config/misnamed.ts';
import { defineSettings, setting } from '../../../core/config/settings.ts';

const Shop = defineSettings('shop', {
  seats: setting(Type.Integer(), { default: 4, description: 'Seats.' }),
  door: setting(Type.Integer(), { default: 1, env: 'DOOR', description: 'Door.' }),
  pin: setting(Type.String(), { default: '', secret: true, description: 'The safe.' }),
});

const misnamed = (...names: string[]) =>
  misnamedVariables([Shop], Object.fromEntries(names.map((name) => [name, 'x'])));

describe('variables of the environment that look like settings', () => {
  it('are found by a slip of the pen', () => {
    expect(misnamed('SHOP_SEETS')).to.deep.equal([
      'environment SHOP_SEETS: no setting has this name; did you mean SHOP_SEATS?',
    ]);
  });

  it('are found where a setting has a name of its own', () => {
    expect(misnamed('SHOP_DOOR')[0]).to.include('did you mean DOOR?');
  });

  it('are not the settings themselves, nor the files of secrets', () => {
    expect(misnamed('SHOP_SEATS', 'DOOR', 'SHOP_PIN', 'SHOP_PIN_FILE')).to.deep.equal([]);
  });

  it('are not the variables of others', () => {
    expect(misnamed('PATH', 'SHOES_SEATS', 'DOOM', 'SHOP_SERVICE_HOST', 'SHOP_PORT')).to.deep.equal([]);
  });
});
