import { HostError, type JsonObject, type Problem } from "../../model/index.ts";
import { resolveServer } from "../../values/index.ts";
import { entryOwner } from "../native-files/entry-owner.ts";
import { authSubject } from "../sign-in/auth-subject-of.ts";
import { withCredentials } from "../sign-in/with-credentials.ts";
import type { Workspace } from "../workspace.ts";
import { useServer } from "./use-server.ts";
import { valueContext } from "./value-context.ts";

/** A config with resolved values and sign-in. It contains secrets: do not show it. */
export interface PreparedConfig {
  readonly config: JsonObject;
  readonly problems: readonly Problem[];
}

/** Resolves a server's values and sign-in as for a connection. Does not connect. */
export async function prepareConfig(workspace: Workspace, name: string): Promise<PreparedConfig> {
  const server = await useServer(workspace, name);
  if (server.launch === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" was allowed without a launch.`);
  const declared = await resolveServer(server, server.launch, valueContext(workspace, server));
  const { resolved, problems } = await withCredentials(workspace, server, declared);
  const { launch } = resolved;
  const found = [...declared.problems, ...problems];
  if (launch.transport === "stdio") {
    const { command, args, cwd, env } = launch;
    const texts = Object.fromEntries([...env].map(([key, secret]) => [key, secret.reveal()]));
    const config = { type: "stdio", command, args, ...(cwd !== undefined && { cwd }), env: texts };
    return { config, problems: found };
  }
  if (launch.transport === "in-process") return { config: { type: launch.transport }, problems: found };
  const headers = Object.fromEntries([...launch.headers].map(([key, secret]) => [key, secret.reveal()]));
  const subject = authSubject(server, resolved, entryOwner(workspace, server));
  const isNamed = subject?.credentialId !== undefined;
  const token = isNamed ? await (await workspace.auth()).tokenFor(subject) : undefined;
  const given = token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` };
  return { config: { type: launch.transport, url: launch.url, headers: given }, problems: found };
}
