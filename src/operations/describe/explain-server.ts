import {
  isHiddenName,
  type JsonValue,
  maskArguments,
  OWNER_PROBLEMS,
  type Provenance,
  placeOfField,
} from "../../model/index.ts";
import { approvalStatus } from "../../policy/index.ts";
import { inspectEntry } from "../lazy-operations.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { describeStart, describeStarted } from "../lifecycle/prepare-launch.ts";
import { describeSignIn, sentence } from "../sign-in/describe-sign-in.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";
import { describeServer, describeShadowed, type ServerView } from "./describe-server.ts";
import { shownField } from "./shown-field.ts";

/** One server, field by field, with the place each value came from. */
export interface ServerExplanation {
  readonly server: ServerView;
  readonly fields: readonly {
    readonly field: string;
    /** Secrets and all values of env and headers are masked; placeholders are shown as written. */
    readonly value: JsonValue;
    readonly source: Pick<Provenance, "file" | "line" | "column">;
  }[];
  /** Why it is as it is: transport, enabled, approval, time-outs, who else reads it, what its owner would say. */
  readonly reasons: readonly string[];
  readonly shadowed: readonly ServerView[];
}

export async function explainServer(workspace: Workspace, name: string): Promise<ServerExplanation> {
  const server = findServer(workspace, name);
  const { declaration, provenance } = server;
  const fields = Object.entries(declaration.fields).map(([field, value]) => ({
    field,
    value: shownField(field, value, declaration.expansion),
    source: placeOfField(declaration, field),
  }));
  const decision = decide(workspace, server);
  const approval = approvalStatus(server, workspace.inventory().approvals).kind;
  const owner = declaration.owner;
  const { launch } = server;
  const signIn = await describeSignIn(workspace, server);
  const started =
    launch?.transport === "stdio"
      ? describeStarted(await describeStart(workspace, server, launch), launch)
      : undefined;
  // Before an approval no file is opened that an entry names; `trust` shows what this one would run.
  const { runs, envFile } = decision.allowed ? await inspectEntry(workspace, server) : NOT_INSPECTED;
  const commands = runs.filter(({ field }) => field !== "command" && field !== "wrap");
  return {
    server: describeServer(server, stateOf(workspace, server)),
    fields,
    reasons: [
      `transport: ${server.transport ?? "unknown"}, because ${server.transportReason}`,
      `${server.enabled ? "enabled" : "disabled"}: ${server.enabledBy}`,
      `${decision.allowed ? "may run" : "may not run"}: ${decision.because}${approval === "approved" ? " (approved)" : ""}`,
      ...(started === undefined ? [] : [`starts: ${started}`]),
      ...commands.map(
        ({ field, command }) =>
          `runs: ${maskArguments(command.split(" ")).join(" ")} (a shell command, for ${field})`,
      ),
      ...(envFile?.found === true ? [`envFile sets: ${describeNames(envFile.names)}`] : []),
      ...(signIn === undefined ? [] : [`sign-in: ${sentence(signIn)}`]),
      `time to connect: ${server.startupTimeoutMs} ms (${server.startupTimeoutSource})`,
      `time for a call: ${server.timeoutMs} ms (${server.timeoutSource})`,
      ...(provenance.readers === undefined ? [] : [`also read by ${provenance.readers.join(", ")}`]),
      ...(owner === undefined
        ? []
        : owner.problems.map((code) => `${provenance.tool} ${OWNER_PROBLEMS[code]}`)),
    ],
    shadowed: server.shadowed.map((entry) => describeShadowed(workspace, entry, server)),
  };
}

const NOT_INSPECTED: Pick<Awaited<ReturnType<typeof inspectEntry>>, "runs" | "envFile"> = { runs: [] };

function describeNames(names: readonly string[]): string {
  const shown = names.filter((name) => !isHiddenName(name));
  const hidden = names.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more without a usual name`] : [])].join(", ") || "nothing";
}
