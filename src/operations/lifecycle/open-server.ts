import {
  type Connection,
  connectServer,
  findTelemetry,
  type OpenContext,
  type OpeningStage,
  type Telemetry,
} from "../../connection/index.ts";
import { connectTimeout, HostError, isHostError, type Server } from "../../model/index.ts";
import { unlessAborted } from "../../platform/index.ts";
import { explainRefusal as explainNoSandbox, REFUSAL_HINT } from "../../sandbox/index.ts";
import type { RunLog } from "../../state/index.ts";
import { type ResolvedServer, resolveServer } from "../../values/index.ts";
import { readEntryEnvFile } from "../approvals/entry-env-file.ts";
import { withCurrentEnvFile } from "../approvals/env-files.ts";
import { hideValues } from "../describe/hide-values.ts";
import { withPrincipal } from "../principals/in-process-principal.ts";
import { setsAuthorization, withSessionHeaders } from "../principals/session-headers.ts";
import { describeDenial, recordDenial, recordDenials } from "../sandbox/record-denials.ts";
import { withCredentials } from "../sign-in/with-credentials.ts";
import { reviewPackage } from "../supply/review-package.ts";
import { journalFor } from "../tasks/journal.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { launchDigest } from "./launch-digest.ts";
import { detectInstallation, prepareAndInstall } from "./prepare-and-install.ts";
import { explainRefusal } from "./prepare-launch.ts";
import { StartLimit } from "./start-limit.ts";
import { assertPermitted } from "./use-server.ts";
import { valueContext, withUnresolvedValues } from "./value-context.ts";

interface OpenOptions {
  readonly signal: AbortSignal;
  readonly account?: string;
  readonly stage?: OpeningStage;
}

interface OpenSteps extends OpenOptions {
  readonly limit: StartLimit;
  readonly telemetry: Telemetry | undefined;
}

/**
 * Checks the policy, resolves values, installs the package and connects. Every server starts here. One time limit covers all steps
 * except the installation.
 */
export async function openServer(
  workspace: Workspace,
  name: string,
  options: OpenOptions,
): Promise<Connection> {
  const { clock } = workspace.ports;
  const onInstalling = options.stage?.onInstalling ?? ((): void => {});
  const limit = new StartLimit(clock, assertPermitted(workspace, name), onInstalling);
  try {
    const telemetry = await findTelemetry();
    const start = (): Promise<Connection> => open(workspace, name, { ...options, limit, telemetry });
    return await (telemetry === undefined
      ? start()
      : telemetry.traceStart(workspace.redactor.redact(name), start));
  } finally {
    limit.stop();
  }
}

async function open(
  workspace: Workspace,
  name: string,
  { signal, account, stage, limit, telemetry }: OpenSteps,
): Promise<Connection> {
  const { late } = limit;
  const server = assertPermitted(workspace, name);
  const { recorder, replay, isLogged, serverLogLevel: logLevel } = workspace.options;
  if (replay !== undefined) return follow(workspace, server, replay.connect(name), account);
  const notReady = (): HostError => connectTimeout(server, "its values and sign-in were not ready");
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    unlessAborted(signal, () => unlessAborted(late, work, notReady));
  if (server.launch === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" was allowed without a launch.`);
  const launched = server.launch;
  const { ports, environment, events, redactor } = workspace;
  // The file is read only once, so that the process gets exactly the variables that are checked here.
  const envFile = await readEntryEnvFile(workspace, server);
  const current = withCurrentEnvFile(workspace, server, envFile);
  assertPermitted(current, name);
  const values = { ...valueContext(current, server), envFile };
  const resolveAgain = async (): Promise<ResolvedServer> =>
    withPrincipal(workspace, server, await resolveServer(server, launched, values));
  const declared = withSessionHeaders(workspace, await inTime(resolveAgain));
  hideValues(workspace, declared); // also masks secrets in sign-in errors
  workspace.values.resolved.set(server, declared);
  const { resolved, authorizer, problems } = setsAuthorization(workspace, name)
    ? { resolved: declared, authorizer: undefined, problems: [] }
    : await inTime(() => withCredentials(current, server, declared, account));
  const unresolved = [...resolved.problems, ...problems];
  workspace.values.unresolved.set(name, unresolved);
  for (const problem of unresolved) events.publish({ type: "problem", problem });
  hideValues(workspace, resolved);
  signal.throwIfAborted(); // resolving values can take long
  const { launch } = resolved;
  const prepared =
    launch.transport === "stdio"
      ? await prepareAndInstall(workspace, server, launch, {
          signal,
          limit,
          outsideTurn: stage?.outsideTurn ?? ((work) => work()),
        }).catch(notStarted(workspace, name))
      : undefined;
  await reviewPackage(workspace, server, prepared?.record);
  const { people } = workspace;
  const { eras, serverLogs } = workspace.stores;
  let runLog: RunLog | undefined;
  const context: OpenContext = {
    ports,
    environment,
    redactor,
    authorizer,
    telemetry,
    logsRequests: isLogged,
    openLog() {
      const log = serverLogs.start({ server: name, file: server.provenance.file }, redactor);
      runLog = log;
      return prepared === undefined ? log : detectInstallation(log, prepared, { limit, redactor });
    },
    handlers: people.handlers,
    relay: people.relay,
    logLevel,
    late,
    lastEra: () => eras.recall(catalogSubject(server).fingerprint),
    onEra: (era) => eras.remember(catalogSubject(server).fingerprint, era),
    onLog(line) {
      const { level, message: text, ...fields } = line; // logs have their own level and message
      ports.log.log(level, "server.log", { server: name, ...fields, text });
      events.publish({ type: "log", server: name, ...line });
    },
    onDenied(target) {
      runLog?.add("stderr", `[plugboard] the sandbox refused a connection to ${target}`);
      recordDenial(workspace, name, { kind: "host", target });
    },
    journal: journalFor(workspace, server, account),
    onUnanswered: () => events.publish({ type: "input.needed", server: name, reason: "value" }),
  };
  const starts = await withSandbox(workspace, server, prepared?.launch ?? launch).catch(
    notStarted(workspace, name),
  );
  const digest = (): string => launchDigest(server, starts, environment);
  const borrowed =
    starts.transport === "stdio" && workspace.borrow !== undefined && account === undefined
      ? await workspace.borrow(server, digest(), signal, environment)
      : undefined;
  const opened = await connectServer({ ...resolved, launch: starts }, { ...context, borrowed }, signal)
    .finally(() => prepared?.stopWatching())
    .catch(async (given: unknown) => {
      const error = signal.aborted ? given : await withDenials(workspace, name, given);
      redactor.redactError(error, name);
      if (limit.error !== undefined && !signal.aborted) return notStarted(workspace, name)(limit.error);
      throw withUnresolvedValues(
        prepared === undefined ? error : explainRefusal(error, prepared),
        unresolved,
      );
    });
  try {
    people.relay?.accept?.(name, opened.capabilities ?? {});
  } catch (error) {
    await opened.close();
    throw error;
  }
  workspace.values.launches.set(opened.ended, digest);
  return follow(workspace, server, recorder?.watch(opened) ?? opened, account);
}

/** Adds the sandbox that the entry requires. */
async function withSandbox(
  workspace: Workspace,
  server: Server,
  launch: ResolvedServer["launch"],
): Promise<ResolvedServer["launch"]> {
  const profile = server.launch?.transport === "stdio" ? server.launch.sandbox : undefined;
  if (profile === undefined || launch.transport !== "stdio") return launch;
  if (workspace.environment.platform === "win32")
    throw new HostError(
      "CONNECT_FAILED",
      "its entry requires a sandbox, which Plugboard does not have on Windows",
      {
        hint: 'To run it without a sandbox, set "sandbox": false in its entry.',
      },
    );
  const { planSandbox } = await import("./plan-sandbox.lazy.ts");
  const plan = await planSandbox(workspace, server, launch, profile);
  workspace.values.plans.set(server.name, plan);
  return { ...launch, sandbox: plan };
}

/** Adds to the error of a failed start what the server's sandbox refused. */
async function withDenials(workspace: Workspace, server: string, error: unknown): Promise<unknown> {
  if (!isHostError(error) || !/^CONNECT_(?:FAILED|EXITED)$/.test(error.code)) return error;
  const { code, message, hint = "", cause } = error;
  if (workspace.values.plans.has(server) && /(?:^|\n)bwrap: /.test(message))
    return new HostError(
      "CONNECT_FAILED",
      `Failed to connect to "${server}": its entry requires a sandbox, but ${explainNoSandbox(message)}`,
      {
        server,
        hint: `${REFUSAL_HINT}To run it without a sandbox, set "sandbox": false in its entry.`,
        cause,
      },
    );
  const denials = await recordDenials(workspace, server, `${message}\n${hint}`);
  if (denials.length === 0) return error;
  const refused = `Its sandbox refused ${denials.map(describeDenial).join(", ")}.`;
  return new HostError(code, message, { server, hint: `${refused}\n${hint}`.trim(), cause: cause ?? error });
}

/** Reads the lists through a new connection when they change. The cached lists are those of the default account. */
function follow(
  { catalogs, subscriptions }: Workspace,
  server: Server,
  connection: Connection,
  account: string | undefined,
): Connection {
  if (account !== undefined) return connection;
  catalogs.follow(catalogSubject(server), connection);
  subscriptions.follow(connection);
  return connection;
}

/** Throws errors in the form of all other failed starts. Their texts can contain resolved values, such as the name of a package. */
function notStarted({ redactor }: Workspace, server: string): (error: unknown) => never {
  const redact = (text: string): string => redactor.redactForServer(server, text);
  return (error) => {
    if (!isHostError(error) || error.server === server) throw error;
    const { code, message, hint, cause } = error;
    throw new HostError(code, `Failed to connect to "${server}": ${redact(message)}`, {
      server,
      hint: hint === undefined ? undefined : redact(hint),
      cause,
    });
  };
}
