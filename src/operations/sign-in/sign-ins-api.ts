import type { SignInView } from "../../auth/index.ts";
import type { WaitOptions } from "../../model/index.ts";
import type { LoginOptions } from "./sign-in.ts";

/** Sign-ins (OAuth 2.1) to servers. Tokens are kept in the vault. */
export interface HostSignIns {
  /** Returns all sign-ins, without their tokens. */
  list(options?: WaitOptions): Promise<SignInView[]>;
  /** Signs in to a server. Opens a browser by default. The next connection uses the new sign-in. */
  login(server: string, options?: LoginOptions): Promise<SignInView>;
  /**
   * Signs out of a server, or of one account there: revokes the tokens at the authorization server and deletes them. Returns the
   * accounts.
   */
  logout(server: string, options?: WaitOptions & { readonly account?: string }): Promise<string[]>;
  /** Makes this account the default for the server. */
  use(server: string, account: string, options?: WaitOptions): Promise<void>;
}
