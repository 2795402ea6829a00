import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import { type Credential, programId } from "./credential.ts";
import { unusedReason } from "./sign-in-owner.ts";

/** The sign-in of a server. If it is not used, `unused` says why. */
export interface FoundSignIn {
  readonly credential: Credential;
  readonly unused?: string;
}

/** Finds the sign-in that the entry names, or else the one that was created for the server. */
export async function findSignIn(
  { credentials }: Pick<AuthDeps, "credentials">,
  subject: AuthSubject,
): Promise<FoundSignIn | undefined> {
  const credential = await lookUp(credentials, subject);
  if (credential === undefined) return undefined;
  const unused = await unusedReason(credentials, credential, subject);
  return { credential, ...(unused !== undefined && { unused }) };
}

async function lookUp(
  credentials: AuthDeps["credentials"],
  subject: AuthSubject,
): Promise<Credential | undefined> {
  const { name, url, account, credentialId, entry } = subject;
  if (credentialId !== undefined) return credentials.byId(credentialId);
  if (url !== undefined) return credentials.find(serverKey({ ...subject, url }), account);
  const own = await credentials.byId(programId(entry.file, name));
  const kept = own ?? (await keptByName(credentials, name));
  return account === undefined || kept?.account === account ? kept : undefined;
}

/** Earlier versions stored the sign-in of a local program under its name, without the program. */
async function keptByName(
  credentials: AuthDeps["credentials"],
  name: string,
): Promise<Credential | undefined> {
  const kept = await credentials.byId(name);
  return kept?.url === undefined && kept?.program === undefined ? kept : undefined;
}

/** Returns the sign-in to use for a server, or `undefined` if there is none. */
export async function findCredential(
  deps: Pick<AuthDeps, "credentials">,
  subject: AuthSubject,
): Promise<Credential | undefined> {
  const found = await findSignIn(deps, subject);
  return found?.unused === undefined ? found?.credential : undefined;
}
