import type { AuthSubject, EntryOwner } from "../../auth/index.ts";
import { HostError, isJsonObject, messageOf, type ServerEntry } from "../../model/index.ts";
import { plainServer } from "../lifecycle/plain-server.ts";
import { entryOwner } from "../native-files/entry-owner.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import type { Workspace } from "../workspace.ts";
import { authSubject, findProvider } from "./auth-subject-of.ts";

/** The sign-in that a server uses, and who receives its token. */
export interface SignInRoute {
  /** The ID of the sign-in, or the `authProviderId` of a program's own. */
  readonly id: string;
  /** The address or the program that the user signed in to. Absent for a program's own sign-in. */
  readonly madeFor?: string;
  /** The recipient of the token and how it is passed, such as `api.example.com as the Authorization header`. */
  readonly goesTo: string;
  /** Why the sign-in is not used. Absent if it is used. */
  readonly unused?: string;
}

/** Returns the sign-in that a server has or refers to. Resolves no values and sends nothing. */
export async function describeSignIn(
  workspace: Workspace,
  server: ServerEntry,
  owner: EntryOwner = entryOwner(workspace, server),
): Promise<SignInRoute | undefined> {
  const { launch } = server;
  if (launch === undefined || launch.transport === "in-process") return undefined;
  const goesTo =
    launch.transport === "stdio"
      ? `${launch.command} as OAUTH_ACCESS_TOKEN`
      : `${hostOf(launch.url)} as the Authorization header`;
  const named = namedSignIn(server);
  const subject = authSubject(server, plainServer(server, launch), owner);
  const idle = named === undefined ? undefined : unusedReason(workspace, server, subject);
  if (idle !== undefined && named !== undefined) return { id: named, goesTo, unused: idle };
  const { authProviderId } = server.declaration.fields;
  if (typeof authProviderId === "string" && launch.transport !== "stdio")
    return { id: authProviderId, ...providerRoute(workspace, server, { goesTo, owner }) };
  if (subject === undefined) return undefined;
  try {
    const use = await (await workspace.auth()).signInFor(subject);
    if (use !== undefined) return { ...use, goesTo };
    return named === undefined ? undefined : { id: named, goesTo, unused: "there is no such sign-in" };
  } catch (error) {
    return { id: named ?? "unknown", goesTo, unused: `it cannot be read: ${messageOf(error)}` };
  }
}

/** Returns the recipient of a program's own sign-in. Approving the entry also approves the recipient. */
function providerRoute(
  workspace: Workspace,
  server: ServerEntry,
  { goesTo, owner }: { readonly goesTo: string; readonly owner: EntryOwner },
): Omit<SignInRoute, "id"> {
  if (owner.project !== undefined && owner.project.launch === undefined)
    return { goesTo, unused: "the project's entry is not approved" };
  if (findProvider(workspace, server) !== undefined) return { goesTo };
  return { goesTo: `${goesTo}, in programs that provide this sign-in` };
}

/** Describes a route: `"id" (made for …) goes to …`, or why it is not used. */
export function formatSignInRoute({ id, madeFor, goesTo, unused }: SignInRoute): string {
  if (unused !== undefined) return `"${id}" is not used: ${unused}`;
  return `"${id}"${madeFor === undefined ? "" : ` (made for ${madeFor})`} goes to ${goesTo}`;
}

/** Returns the id of the sign-in that an entry refers to. */
export function namedSignIn({ declaration }: ServerEntry): string | undefined {
  const { auth } = declaration.fields;
  return isJsonObject(auth) && typeof auth["credentialId"] === "string" ? auth["credentialId"] : undefined;
}

/** Returns why the sign-in that an entry refers to is never used; `undefined` if it is. */
export function unusedReason(
  workspace: Workspace,
  server: ServerEntry,
  subject: AuthSubject | undefined,
): string | undefined {
  const { auth, oauth, authProviderId } = server.declaration.fields;
  if (isJsonObject(auth) && auth["type"] !== "oauth") return 'the "type" of its "auth" is not "oauth"';
  if (findProvider(workspace, server) !== undefined)
    return `"authProviderId": "${String(authProviderId)}" takes its place`;
  if (subject === undefined && (oauth === false || (isJsonObject(oauth) && oauth["enabled"] === false)))
    return '"oauth" disables signing in';
  return undefined;
}

/** Throws if a project's entry that refers to a sign-in it may not use would be copied to the user's own config. */
export async function assertOwnSignIn(
  workspace: Workspace,
  server: ServerEntry,
  scope: WriteScope,
): Promise<void> {
  const named = namedSignIn(server);
  if (scope !== "user" || server.provenance.tier !== "project" || named === undefined) return;
  const route = await describeSignIn(workspace, server);
  if (route?.unused === undefined) return;
  throw new HostError(
    "CONFIG_INVALID",
    `the entry refers to the sign-in "${named}", which it may not use in your own file: ${route.unused}`,
    { server: server.name, hint: 'Remove "credentialId" from the entry first.' },
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the server";
}
