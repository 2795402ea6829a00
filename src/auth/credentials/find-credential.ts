import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import { type Credential, programId } from "./credential.ts";
import { whyUnused } from "./sign-in-owner.ts";

/** The sign-in for a server, and why it is not used if it is not. */
export interface FoundSignIn {
  readonly credential: Credential;
  readonly unused?: string;
}

/** Finds the sign-in that the config names, or that was made for the server. */
export async function findSignIn(
  { credentials }: Pick<AuthDeps, "credentials">,
  subject: AuthSubject,
): Promise<FoundSignIn | undefined> {
  const credential = await lookUp(credentials, subject);
  if (credential === undefined) return undefined;
  const unused = await whyUnused(credentials, credential, subject);
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

/** Earlier versions kept the sign-in for a program under its name, and did not record the program. */
async function keptByName(
  credentials: AuthDeps["credentials"],
  name: string,
): Promise<Credential | undefined> {
  const kept = await credentials.byId(name);
  return kept?.url === undefined && kept?.program === undefined ? kept : undefined;
}

/** The sign-in that goes with requests to a server. */
export async function findCredential(
  works: Pick<AuthDeps, "credentials">,
  subject: AuthSubject,
): Promise<Credential | undefined> {
  const found = await findSignIn(works, subject);
  return found?.unused === undefined ? found?.credential : undefined;
}
