/** Where a sign-in comes from. */
export interface Client {
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}
