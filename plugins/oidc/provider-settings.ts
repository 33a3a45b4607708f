import { Type } from '../../core/index.ts';

const Claim = Type.String({ minLength: 1, maxLength: 200 });

/** A provider in the settings; the README says what each field means. */
export const ProviderSettings = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    name: Type.String({ minLength: 1, maxLength: 60 }),
    issuer: Type.String({ pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$' }),
    client_id: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^\\S+$' }), { maxItems: 20 })),
    create_accounts: Type.Optional(Type.Boolean()),
    link_by_email: Type.Optional(Type.Boolean()),
    username_claim: Type.Optional(Claim),
    groups_claim: Type.Optional(Claim),
    admin_claim: Type.Optional(Claim),
    admin_values: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
    audience: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    algorithm: Type.Optional(
      Type.Enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']),
    ),
  },
  { additionalProperties: false },
);
export type ProviderSettings = Type.Static<typeof ProviderSettings>;
