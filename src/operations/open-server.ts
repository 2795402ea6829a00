import { type Connection, connectServer, type OpenContext } from "../connection/index.ts";
import { HostError, isSecretName, type Launch, type Redactor } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { type ResolvedLaunch, resolveServer } from "../values/index.ts";
import { findDirectLaunch } from "./direct-launch.ts";
import { withCredentials } from "./with-credentials.ts";
import { permitted } from "./use-server.ts";
import { catalogSubject, type Workspace } from "./workspace.ts";

/** Decides, fills in the values, connects: the only way a server ever starts. */
export async function openServer(
  workspace: Workspace,
  name: string,
  { signal, redactor, account }: { signal: AbortSignal; redactor: Redactor; account?: string },
): Promise<Connection> {
  const server = permitted(workspace, name);
  if (server.launch === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" was allowed without a launch.`);
  const { ports, environment, events, catalogs, subscriptions } = workspace;
  const declared = await resolveServer(server, server.launch, { environment, files: ports.files });
  const { resolved, authorizer, problems } = await withCredentials(workspace, server, declared, account);
  for (const problem of [...resolved.problems, ...problems]) events.publish({ type: "problem", problem });
  const secrets = [...declaredValues(resolved.launch), ...secretVariables(server.launch, environment)];
  for (const secret of secrets) redactor.add(secret);
  const { launch } = resolved;
  const direct = launch.transport === "stdio" ? await findDirectLaunch(workspace, server, launch) : undefined;
  const { eras, handlers, serverLogs, serverLogLevel: logLevel } = workspace;
  const context: OpenContext = {
    ports,
    environment,
    redactor,
    authorizer,
    openLog: () => serverLogs.start({ server: name, file: server.provenance.file }, redactor),
    handlers,
    logLevel,
    lastEra: () => eras.recall(catalogSubject(server).fingerprint),
    onEra: (era) => eras.remember(catalogSubject(server).fingerprint, era),
    onLog(line) {
      ports.log.log(line.level, "server.log", { server: name, ...line });
      events.publish({ type: "log", server: name, ...line });
    },
    onUnanswered: () => events.publish({ type: "input.needed", server: name, reason: "value" }),
  };
  const connection = await connectServer({ ...resolved, launch: direct?.launch ?? launch }, context, signal);
  // What another account is offered is not what the server's list should say.
  if (account !== undefined) return connection;
  catalogs.follow(catalogSubject(server), connection);
  subscriptions.follow(connection);
  return connection;
}

function declaredValues(launch: ResolvedLaunch): string[] {
  const secrets = launch.transport === "stdio" ? launch.env : launch.headers;
  return [...secrets.values()].map((secret) => secret.reveal());
}

/** What a `${…_TOKEN}` in the arguments or the url stands for. */
function secretVariables(launch: Launch, { variables }: Environment): string[] {
  const names = [...JSON.stringify(launch).matchAll(/\$\{([^}:]+)/g)].map(([, name = ""]) => name);
  return names.filter(isSecretName).map((name) => variables[name] ?? "");
}
