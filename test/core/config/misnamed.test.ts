import { expect } from 'chai';
import Type from 'typebox';
import { misnamedVariables } from '../../../core/config/misnamed.ts';
import { defineSettings, setting } from '../../../core/config/settings.ts';

const Shop = defineSettings('shop', {
  seats: setting(Type.Integer(), { default: 4, description: 'Seats.' }),
  wait_time_s: setting(Type.Integer(), { default: 4, description: 'A pause.' }),
  door: setting(Type.Integer(), { default: 1, env: 'DOOR', description: 'Door.' }),
  pin: setting(Type.String(), { default: '', secret: true, description: 'The safe.' }),
});

const Storage = defineSettings('storage', {
  url: setting(Type.String(), { default: '', env: 'WAREHOUSE_URL', description: 'Where.' }),
});
const Queue = defineSettings('queue', {
  url: setting(Type.String(), { default: '', description: 'Who is next.' }),
});

const misnamed = (...names: string[]) =>
  misnamedVariables([Shop, Storage, Queue], Object.fromEntries(names.map((name) => [name, 'x']))).map(
    ({ message }) => message,
  );

describe('variables of the environment that look like settings', () => {
  it('are found by a slip of the pen', () => {
    expect(misnamed('SHOP_SEETS')).to.deep.equal([
      'environment SHOP_SEETS: no setting has this name; did you mean SHOP_SEATS?',
    ]);
  });

  it('are found where a setting has a name of its own', () => {
    expect(misnamed('SHOP_DOOR')[0]).to.include('did you mean DOOR?');
  });

  for (const [variable, meant] of [
    ['SHOP_DORO', 'DOOR'],
    ['SHOPSEATS', 'SHOP_SEATS'],
    ['shop_seats', 'SHOP_SEATS'],
    ['SHOP__SEATS', 'SHOP_SEATS'],
    ['SHOP_PIN_FIEL', 'SHOP_PIN_FILE'],
    ['VITRINE_DOOR', 'DOOR'],
    ['VITRINE_SHOP_SEATS', 'SHOP_SEATS'],
    ['VITRINE_SHOP_SEETS', 'SHOP_SEATS'],
    ['SHOP_WAIT_TIME', 'SHOP_WAIT_TIME_S'],
    ['WAREHUOSE_URL', 'WAREHOUSE_URL'],
    ['WARHOSE_URL', 'WAREHOUSE_URL'],
    ['VITRINE_WAREHOSE_URL', 'WAREHOUSE_URL'],
    ['QUEU_URL', 'QUEUE_URL'],
  ]) {
    it(`are found: ${variable} for ${meant}`, () => {
      expect(misnamed(variable!)).to.deep.equal([
        `environment ${variable}: no setting has this name; did you mean ${meant}?`,
      ]);
    });
  }

  it('are files for settings that are no secrets', () => {
    expect(misnamed('DOOR_FILE')).to.deep.equal([
      'environment DOOR_FILE: only secrets are read from files; set DOOR itself.',
    ]);
  });

  it('are named with the setting that was meant', () => {
    expect(misnamedVariables([Shop], { SHOP_DORO: '1' })).to.deep.include.members([
      {
        message: 'environment SHOP_DORO: no setting has this name; did you mean DOOR?',
        env: 'SHOP_DORO',
        setting: 'shop.door',
      },
    ]);
  });

  it('are not what Kubernetes and Docker set for a service of that name', () => {
    const links = { VITRINE_DOOR: 'tcp://10.0.0.7:80', SHOP_DOOR: 'udp://10.0.0.8:53' };
    expect(misnamedVariables([Shop], links)).to.deep.equal([]);
  });

  it('are not the settings themselves, nor the files of secrets', () => {
    expect(misnamed('SHOP_SEATS', 'DOOR', 'SHOP_PIN', 'SHOP_PIN_FILE')).to.deep.equal([]);
  });

  it('are not the variables of others', () => {
    expect(
      misnamed(
        'PATH',
        'SHOES_SEATS',
        'CHOP_SEATS',
        'A_WAREHOUSE_URL',
        'WARHSE_URL',
        'WAREHOSE_URI',
        'QUOTE_URL',
        'DOOM',
        'door',
        'SHOP_SERVICE_HOST',
        'SHOP_PORT',
        'SHOP_TIME_ZONE',
        'TIME',
        'SHOP',
        'VITRINE_CONFIG',
        'VITRINE_SERVICE_PORT',
        'VITRINE_PORT_80_TCP_ADDR',
      ),
    ).to.deep.equal([]);
  });
});
