import type { Authorizer } from "../../connection/index.ts";
import {
  describePlace,
  isJsonObject,
  type Problem,
  Secret,
  type Server,
  shellWord,
} from "../../model/index.ts";
import type { ResolvedServer } from "../../values/index.ts";
import { mayHaveSecrets } from "../lifecycle/value-context.ts";
import { entryOwner } from "../native-files/entry-owner.ts";
import type { Workspace } from "../workspace.ts";
import { authSubject, bareSubject, providerOf } from "./auth-subject-of.ts";
import { namedSignIn, unusedReason } from "./describe-sign-in.ts";

/** A server with the user's sign-in applied. */
export interface Credentialed {
  readonly resolved: ResolvedServer;
  readonly authorizer?: Authorizer;
  readonly problems: readonly Problem[];
}

/** Applies the user's sign-in: to the requests of a remote server, or to the environment of a local one. */
export async function withCredentials(
  workspace: Workspace,
  server: Server,
  resolved: ResolvedServer,
  account?: string,
): Promise<Credentialed> {
  const owner = entryOwner(workspace, server);
  const usual = authSubject(server, resolved, owner);
  const provider = providerOf(workspace, server);
  const named = namedSignIn(server);
  const idle = named === undefined ? undefined : unusedReason(workspace, server, usual);
  const idling = idle === undefined ? incomplete(server) : [unusedSignIn(server, named ?? "", idle)];
  if (provider !== undefined) {
    // As with other secrets: a project that is trusted for one run has not been approved to receive them.
    if (!mayHaveSecrets(workspace, server))
      return { resolved, problems: [...idling, withheld(server, "the program's sign-in")] };
    const auth = await workspace.auth();
    const about = usual ?? bareSubject(server.name, owner);
    return { resolved, authorizer: auth.providerAuthorizer(about, provider), problems: idling };
  }
  const subject = usual && account !== undefined ? { ...usual, account, credentialId: undefined } : usual;
  if (subject === undefined) return { resolved, problems: idling };
  const auth = await workspace.auth();
  const { launch } = resolved;
  const use = await auth.signInFor(subject);
  const { credentialId = use?.id } = subject;
  // A remote server that needs a sign-in reports that itself.
  const isExpected = subject.credentialId !== undefined || launch.transport === "stdio";
  const problems =
    use === undefined && subject.credentialId !== undefined
      ? [credentialMissing(server, subject.credentialId)]
      : use?.unused !== undefined && isExpected
        ? [unusedSignIn(server, credentialId ?? "", use.unused)]
        : idling;
  if (launch.transport !== "stdio") return { resolved, authorizer: auth.authorizer(subject), problems };
  if (!mayHaveSecrets(workspace, server)) {
    const others = use?.unused === undefined ? problems : [];
    return { resolved, problems: [...others, withheld(server, "your sign-in")] };
  }
  const token = await auth.tokenFor(subject);
  if (token === undefined) return { resolved, problems };
  const env = new Map([...launch.env, ["OAUTH_ACCESS_TOKEN", new Secret(token)]]);
  return { resolved: { ...resolved, launch: { ...launch, env } }, problems };
}

/** Reports an `auth` without `credentialId`, because then no token is used. */
function incomplete(server: Server): Problem[] {
  const { auth } = server.declaration.fields;
  const isIncomplete =
    isJsonObject(auth) &&
    auth["type"] === "oauth" &&
    typeof auth["credentialId"] !== "string" &&
    (auth["account"] === undefined || server.transport === "stdio");
  return isIncomplete ? [problem(server, 'its "auth" has no credentialId, so no token is used')] : [];
}

function credentialMissing(server: Server, id: string): Problem {
  return problem(
    server,
    `its "auth" refers to the sign-in "${id}", which does not exist; it continues without a sign-in`,
  );
}

/** Reports a sign-in that the entry refers to but that is not used. */
export function unusedSignIn(server: Server, id: string, because: string): Problem {
  return problem(server, `the sign-in "${id}" is not used: ${because}`);
}

function withheld(server: Server, signIn: string): Problem {
  const receiver = server.transport === "stdio" ? "program" : "server";
  const what = `${signIn} is withheld from a project's ${receiver} that is trusted for this run only`;
  return problem(server, `${what}; to approve it: plugboard trust ${shellWord(server.name)}`);
}

function problem({ name, provenance, declaration }: Server, what: string): Problem {
  const place = { file: provenance.file, ...declaration.positionOf("auth") };
  const message = `${describePlace(place)} server "${name}": ${what}`;
  return { code: "value-unresolved", severity: "warning", message, server: name, ...place };
}
