import { expect } from 'chai';
import { GatewaySettings } from '../../../plugins/gateway/config.ts';
import { complaintsOf } from '../../support/complaints.ts';

describe('REDIS_URL', () => {
  for (const url of ['redis://:12/secret@host:6379', 'redis://:12?secret@host', 'rediss://12#secret@host']) {
    it(`is refused when its password ends the host too early, and never shown: ${url.replace('secret', '…')}`, () => {
      const complaint = complaintsOf(GatewaySettings, { redis_url: url });
      expect(complaint).to.contain('REDIS_URL').and.to.contain('%2F').and.not.to.contain('secret');
    });
  }

  for (const url of ['', 'redis://host', 'redis://:p%2Fss@host:6379/2', 'rediss://ann:p@ss@host?family=6']) {
    it(`is taken: "${url}"`, () => {
      expect(complaintsOf(GatewaySettings, { redis_url: url })).to.equal('');
    });
  }
});
