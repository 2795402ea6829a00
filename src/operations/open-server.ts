import { type Connection, connectServer, type OpenContext } from "../connection/index.ts";
import { HostError } from "../model/index.ts";
import { resolveServer } from "../values/index.ts";
import { findDirectLaunch } from "./direct-launch.ts";
import { secretsOf } from "./secrets-of.ts";
import { permitted } from "./use-server.ts";
import { valueContext, withLeftOut } from "./value-context.ts";
import { withCredentials } from "./with-credentials.ts";
import { catalogSubject, type Workspace } from "./workspace.ts";

/** Decides, fills in the values, connects: the only way a server ever starts. */
export async function openServer(
  workspace: Workspace,
  name: string,
  { signal, account }: { signal: AbortSignal; account?: string },
): Promise<Connection> {
  const server = permitted(workspace, name);
  if (server.launch === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" was allowed without a launch.`);
  const { ports, environment, events, catalogs, subscriptions, leftOut, redactor } = workspace;
  const declared = await resolveServer(server, server.launch, valueContext(workspace, server));
  const { resolved, authorizer, problems } = await withCredentials(workspace, server, declared, account);
  const unresolved = [...resolved.problems, ...problems];
  leftOut.set(name, unresolved);
  for (const problem of unresolved) events.publish({ type: "problem", problem });
  const { expansion } = server.declaration;
  for (const secret of secretsOf(resolved, server.launch, expansion, environment)) redactor.add(secret);
  signal.throwIfAborted(); // values may take a while
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
  const connection = await connectServer(
    { ...resolved, launch: direct?.launch ?? launch },
    context,
    signal,
  ).catch((error: unknown) => {
    redactor.clean(error);
    throw withLeftOut(error, unresolved);
  });
  // What another account is offered is not what the server's list should say.
  if (account !== undefined) return connection;
  catalogs.follow(catalogSubject(server), connection);
  subscriptions.follow(connection);
  return connection;
}
