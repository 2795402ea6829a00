/** A certificate with its chain, and the private key, as PEM texts. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}
