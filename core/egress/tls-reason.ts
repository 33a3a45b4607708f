const UNTRUSTED =
  'Its certificate comes from an authority that this service does not trust, or intermediate certificates are missing.';
const HOW_TO_TRUST = 'The operator can name the authority in NODE_EXTRA_CA_CERTS (docs/deployment.md).';

/** What is wrong with a certificate or a handshake, by the codes of Node and the words of OpenSSL. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'Its certificate has expired.'],
  [/CERT_NOT_YET_VALID/, 'Its certificate is not valid yet; compare the clocks.'],
  [/CERT_REVOKED/, 'Its certificate was revoked.'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'Its certificate is for another host name.'],
  [
    /DEPTH_ZERO_SELF_SIGNED_CERT/,
    `Its certificate is self-signed, and this service does not trust it. ${HOW_TO_TRUST}`,
  ],
  [
    /SELF_SIGNED_CERT_IN_CHAIN/,
    `Its certificate comes from an authority that this service does not trust. ${HOW_TO_TRUST}`,
  ],
  [/UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/, `${UNTRUSTED} ${HOW_TO_TRUST}`],
  [
    /wrong.version.number|packet.length.too.long|record.layer.failure|http.request/i,
    'It does not speak TLS on this port; should the address begin with http:?',
  ],
  [
    /protocol.version|unsupported.protocol|version.too.low/i,
    'It speaks no version of TLS that this service accepts.',
  ],
  [
    /handshake.failure|no.shared.cipher|insufficient.security/i,
    'It has no cipher in common with this service, or demands a certificate of its clients.',
  ],
  [/unrecognized.name/i, 'It does not know this host name.'],
  [/before secure TLS connection/i, 'It closed the connection during the TLS handshake.'],
];

/** What failed in TLS, as a sentence; `undefined` for any other fault of a connection. */
export function tlsReasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = REASONS.find(([words]) => words.test(`${code} ${message}`))?.[1];
  if (known !== undefined) return known;
  if (code.startsWith('CERT_')) return `Its certificate is not valid (${code}).`;
  return code.startsWith('ERR_SSL_') ? `The TLS handshake failed (${code}).` : undefined;
}
