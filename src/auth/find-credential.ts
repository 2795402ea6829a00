import { type AuthSubject, type AuthWorks, serverKey } from "./auth-subject.ts";
import type { Credential } from "./credential.ts";

/** The sign-in that goes with requests to a server: the one its config names, or that of the account. */
export async function findCredential(
  { credentials }: AuthWorks,
  { url, account, credentialId, settings }: AuthSubject,
): Promise<Credential | undefined> {
  const found =
    credentialId === undefined
      ? url && (await credentials.find(serverKey(url), account))
      : await credentials.byId(credentialId);
  // Another client in the config than the one that signed in: that sign-in is not this server's any more.
  const isOther = settings.clientId !== undefined && found?.client.clientId !== settings.clientId;
  // And a token goes to the server it was made for, whatever a config says.
  const isElsewhere =
    found?.url !== undefined && url !== undefined && new URL(found.url).origin !== url.origin;
  return isOther || isElsewhere ? undefined : found;
}
