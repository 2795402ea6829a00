import { type AuthSubject, type OAuthProvider, readOauthSettings } from "../auth/index.ts";
import type { Authorizer } from "../connection/index.ts";
import { describePlace, HostError, isJsonObject, type Problem, Secret, type Server } from "../model/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import { mayHaveSecrets } from "./value-context.ts";
import type { Workspace } from "./workspace.ts";

export interface Credentialed {
  readonly resolved: ResolvedServer;
  readonly authorizer?: Authorizer;
  readonly problems: readonly Problem[];
}

/** The server with the person's sign-in: on its requests, or in the environment of its program. */
export async function withCredentials(
  workspace: Workspace,
  server: Server,
  resolved: ResolvedServer,
  account?: string,
): Promise<Credentialed> {
  const usual = authSubject(server, resolved);
  const provider = providerOf(workspace, server);
  if (provider !== undefined) {
    const auth = await workspace.auth();
    const about = usual ?? { name: server.name, ...NOWHERE };
    return { resolved, authorizer: auth.providerAuthorizer(about, provider), problems: [] };
  }
  const subject = usual && account !== undefined ? { ...usual, account, credentialId: undefined } : usual;
  if (subject === undefined) return { resolved, problems: incomplete(server) };
  const auth = await workspace.auth();
  const { launch } = resolved;
  const { credentialId } = subject;
  const isMissing = credentialId !== undefined && !(await auth.has(credentialId));
  const problems = isMissing ? [credentialMissing(server, credentialId)] : incomplete(server);
  if (launch.transport !== "stdio") return { resolved, authorizer: auth.authorizer(subject), problems };
  if (!mayHaveSecrets(workspace, server)) return { resolved, problems: [...problems, withheld(server)] };
  const token = await auth.tokenFor(subject);
  if (token === undefined) return { resolved, problems };
  const env = new Map([...launch.env, ["OAUTH_ACCESS_TOKEN", new Secret(token)]]);
  return { resolved: { ...resolved, launch: { ...launch, env } }, problems };
}

/** How one signs in to a server; nothing when that is not what it does. */
export function authSubject(server: Server, resolved: ResolvedServer): AuthSubject | undefined {
  const { name, launch, oauth } = resolved;
  const settings = readOauthSettings(oauth);
  if (settings === false) return undefined;
  const { auth } = server.declaration.fields;
  const named = isJsonObject(auth) && auth["type"] === "oauth" ? auth : {};
  const credentialId = typeof named["credentialId"] === "string" ? named["credentialId"] : undefined;
  const account = typeof named["account"] === "string" ? named["account"] : undefined;
  // A repository must not weaken how a person signs in.
  const { allowNoPkce: _, ...strict } = settings;
  const ours = server.provenance.tier === "project" ? strict : settings;
  if (launch.transport === "stdio")
    return credentialId === undefined && ours.tokenUrl === undefined
      ? undefined
      : { name, url: undefined, settings: ours, account, credentialId: credentialId ?? name };
  const bringsItsOwn = [...launch.headers.keys()].some((header) => header.toLowerCase() === "authorization");
  if (bringsItsOwn && oauth === undefined && credentialId === undefined) return undefined;
  if (!URL.canParse(launch.url)) return undefined;
  return { name, url: new URL(launch.url), settings: ours, account, credentialId };
}

/** For a provider that just has a token, since the entry speaks of no OAuth. */
const NOWHERE = {
  url: undefined,
  settings: { grant: "authorization_code" },
  account: undefined,
  credentialId: undefined,
} as const;

/** The program's own way to sign in to a server; none where nobody gives it, which only matters when it is used. */
export function findProvider({ authProviders }: Workspace, server: Server): OAuthProvider | undefined {
  const { authProviderId: id } = server.declaration.fields;
  return typeof id === "string" && Object.hasOwn(authProviders, id) ? authProviders[id] : undefined;
}

export function providerOf(workspace: Workspace, server: Server): OAuthProvider | undefined {
  const { name, declaration } = server;
  const { authProviderId: id } = declaration.fields;
  const provider = findProvider(workspace, server);
  if (typeof id !== "string" || provider !== undefined) return provider;
  throw new HostError(
    "AUTH_PROVIDER_UNKNOWN",
    `Server "${name}" signs in with "${id}", which nobody provides.`,
    {
      server: name,
      hint: `Give it at run time: createHost({ authProvidersById: { "${id}": … } }).`,
    },
  );
}

/** `auth` without the id of a sign-in puts in no token; that is pointed out. */
function incomplete(server: Server): Problem[] {
  const { auth } = server.declaration.fields;
  const isIncomplete =
    isJsonObject(auth) &&
    auth["type"] === "oauth" &&
    typeof auth["credentialId"] !== "string" &&
    auth["account"] === undefined;
  return isIncomplete ? [problem(server, 'its "auth" names no credentialId, so no token is put in')] : [];
}

function credentialMissing(server: Server, id: string): Problem {
  return problem(server, `its "auth" names the sign-in "${id}", which is not there; it goes on without`);
}

function withheld(server: Server): Problem {
  const what = "your sign-in is not given to a project's program that is trusted for this run only";
  return problem(server, `${what}; plugboard trust ${server.name} approves it`);
}

function problem({ name, provenance, declaration }: Server, what: string): Problem {
  const place = { file: provenance.file, ...declaration.positionOf("auth") };
  const message = `${describePlace(place)} server "${name}": ${what}`;
  return { code: "value-unresolved", severity: "warning", message, server: name, ...place };
}
