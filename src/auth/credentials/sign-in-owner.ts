import { isSameOrigin } from "../../platform/index.ts";
import { type AuthSubject, serverKey, withoutOwner } from "../auth-subject.ts";
import { Refusal } from "../refusal.ts";
import type { Credential, Credentials } from "./credential.ts";

/** Returns why a sign-in must not be used for a server, or `undefined` if it may be used. */
export async function unusedReason(
  credentials: Credentials,
  credential: Credential,
  subject: AuthSubject,
): Promise<string | undefined> {
  const { clientId } = subject.settings;
  if (clientId !== undefined && credential.client.clientId !== clientId)
    return "it was created with a different client ID than the entry has now";
  if (isAssignedByUser(credential, subject)) return undefined;
  if (!(await belongsTo(credentials, credential, subject)))
    return `it was created for ${describeOwner(credential)}`;
  const { program } = credential;
  const { project } = subject.entry;
  if (program === undefined || project === undefined) return undefined;
  if (project.launch === undefined) return "the entry is not approved";
  return program.launch === project.launch ? undefined : "the entry changed since you signed in";
}

/** Only the user's own config file may name the sign-in of another server, and only one of the same origin. */
function isAssignedByUser(credential: Credential, { url, credentialId, entry }: AuthSubject): boolean {
  if (entry.project !== undefined || credentialId === undefined) return false;
  return url === undefined || credential.url === undefined || isSameOrigin(new URL(credential.url), url);
}

/** Returns whether the sign-in was created for this server. */
export async function belongsTo(
  credentials: Credentials,
  credential: Credential,
  subject: AuthSubject,
): Promise<boolean> {
  const { name, url, entry } = subject;
  if (url !== undefined) {
    if (credential.url === undefined || !isSameOrigin(new URL(credential.url), url)) return false;
    const key = serverKey({ ...subject, url });
    // Two addresses of one resource can share a sign-in. It stores only the address that was used last.
    const { accounts } = await credentials.accountsOf(key);
    return credential.url === key || Object.values(accounts).includes(credential.id);
  }
  const { program } = credential;
  if (credential.url !== undefined) return false;
  if (program !== undefined) return program.name === name && program.file === entry.file;
  const { project } = entry;
  // Earlier versions did not record the program. A project's entry keeps such a sign-in only if it was approved before the
  // user signed in. The first generation is the time of the sign-in.
  return project === undefined || (project.approvedAt ?? Number.POSITIVE_INFINITY) <= credential.generation;
}

export function describeOwner({ url, program }: Credential): string {
  if (url !== undefined) return withoutOwner(url);
  return program === undefined ? "a local program" : `"${program.name}" in ${program.file}`;
}

/** Throws if a project's entry names the ID of another server's sign-in, which it would replace. */
export async function assertOwnSignInId(credentials: Credentials, subject: AuthSubject): Promise<void> {
  const { credentialId, entry } = subject;
  if (credentialId === undefined || entry.project === undefined) return;
  const kept = await credentials.byId(credentialId);
  if (kept === undefined || (await belongsTo(credentials, kept, subject))) return;
  throw new Refusal(
    `the entry names the sign-in "${credentialId}", which was created for ${describeOwner(kept)}; remove "credentialId" from the entry`,
  );
}
