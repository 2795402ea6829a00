import { userInfo } from "node:os";

/** Returns the home folder in the account database, or `undefined` for a user id without an account. */
export function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
