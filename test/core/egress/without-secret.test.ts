import { expect } from 'chai';
import { withoutSecret } from '../../../core/egress/without-secret.ts';

const SECRET = 'p/ss word?ü';

describe('what a server says', () => {
  for (const [form, echo] of Object.entries({
    'as it is': SECRET,
    'for a URL': encodeURIComponent(SECRET),
    'in base64': Buffer.from(SECRET).toString('base64'),
    'in base64 for a URL': Buffer.from(SECRET).toString('base64url'),
    'in hexadecimal': Buffer.from(SECRET).toString('hex'),
  })) {
    it(`does not show the secret ${form}, however often`, () => {
      expect(withoutSecret(`bad ${echo}, ${echo}!`, SECRET)).to.equal('bad ***, ***!');
    });
  }

  it('stays as it is where there is no secret', () => {
    expect(withoutSecret('bad key', '')).to.equal('bad key');
  });
});
