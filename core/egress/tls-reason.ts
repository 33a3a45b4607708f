/** What is wrong with a certificate, by the codes of OpenSSL and Node. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet; compare the clocks.',
  CERT_REVOKED: 'Its certificate was revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed, and this service does not trust it.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is of an authority that this service does not trust.',
  UNABLE_TO_GET_ISSUER_CERT:
    'Its certificate is of an authority that this service does not trust, or the certificates between are missing.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Its certificate is of an authority that this service does not trust, or the certificates between are missing.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Its certificate is of an authority that this service does not trust, or the certificates between are missing.',
};

/** Certificates that the service would accept if it trusted the authority. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO/;
const HOW_TO_TRUST = ' The operator can name the authority in NODE_EXTRA_CA_CERTS (docs/deployment.md).';

/** Faults of the handshake, by the words of OpenSSL. */
const HANDSHAKE: readonly (readonly [RegExp, string])[] = [
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
  const ofCertificate = CERTIFICATE[code];
  if (ofCertificate !== undefined) return ofCertificate + (UNTRUSTED.test(code) ? HOW_TO_TRUST : '');
  if (code.startsWith('CERT_')) return `Its certificate is not valid (${code}).`;
  const known = HANDSHAKE.find(([words]) => words.test(`${code} ${message}`))?.[1];
  return known ?? (code.startsWith('ERR_SSL_') ? `The TLS handshake failed (${code}).` : undefined);
}
