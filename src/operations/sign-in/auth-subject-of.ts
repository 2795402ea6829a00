import {
  type AuthSubject,
  type EntryOwner,
  type OAuthProvider,
  readOauthSettings,
} from "../../auth/index.ts";
import { HostError, isJsonObject, type ServerEntry } from "../../model/index.ts";
import { isWebUrl } from "../../platform/index.ts";
import type { ResolvedServer } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns how the user signs in to a server; `undefined` if the server does not use OAuth. */
export function authSubject(
  { declaration }: ServerEntry,
  resolved: ResolvedServer,
  entry: EntryOwner,
): AuthSubject | undefined {
  const { name, launch, oauth } = resolved;
  const settings = readOauthSettings(oauth);
  if (settings === false || launch.transport === "in-process") return undefined;
  const { auth } = declaration.fields;
  const named = isJsonObject(auth) && auth["type"] === "oauth" ? auth : {};
  const credentialId = typeof named["credentialId"] === "string" ? named["credentialId"] : undefined;
  const account = typeof named["account"] === "string" ? named["account"] : undefined;
  // A project must not weaken the user's sign-in.
  const { allowNoPkce: _, ...strict } = settings;
  const ours = entry.project === undefined ? settings : strict;
  const common = { name, settings: ours, account, credentialId, entry };
  if (launch.transport === "stdio")
    return credentialId === undefined && ours.tokenUrl === undefined
      ? undefined
      : { ...common, url: undefined };
  const hasAuthorizationHeader = [...launch.headers.keys()].some(
    (header) => header.toLowerCase() === "authorization",
  );
  if (hasAuthorizationHeader && oauth === undefined && credentialId === undefined) return undefined;
  if (!URL.canParse(launch.url) || !isWebUrl(new URL(launch.url))) return undefined;
  return { ...common, url: new URL(launch.url) };
}

/** Returns the subject for a program's provider if the entry has no OAuth settings. */
export function bareSubject(name: string, entry: EntryOwner): AuthSubject {
  const settings = { grant: "authorization_code" } as const;
  return { name, url: undefined, settings, account: undefined, credentialId: undefined, entry };
}

/** Returns the program's OAuth provider for a server; `undefined` if the program has none. */
export function findProvider(workspace: Workspace, { declaration }: ServerEntry): OAuthProvider | undefined {
  const { authProviderId: id } = declaration.fields;
  return typeof id === "string" ? workspace.authProvider(id) : undefined;
}

/** Like `findProvider`, but throws if the entry refers to a provider that does not exist. */
export function providerOf(workspace: Workspace, server: ServerEntry): OAuthProvider | undefined {
  const { name, declaration } = server;
  const { authProviderId: id } = declaration.fields;
  const provider = findProvider(workspace, server);
  if (typeof id !== "string" || provider !== undefined) return provider;
  throw new HostError(
    "AUTH_PROVIDER_UNKNOWN",
    `Server "${name}" signs in with the OAuth provider "${id}", which the program does not define.`,
    {
      server: name,
      hint:
        workspace.principal === undefined
          ? `Pass it to the host: createHost({ authProvidersById: { "${id}": … } }).`
          : `Pass a function that returns the provider of a principal: createHost({ authProvidersById: { "${id}": (principal) => … } }).`,
    },
  );
}
