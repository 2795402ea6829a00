import { userInfo } from "node:os";

/** The home folder that the account database names; `undefined` for a user id without an account. */
export function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
