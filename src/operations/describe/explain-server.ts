import {
  isHiddenName,
  type JsonValue,
  maskArguments,
  OWNER_PROBLEMS,
  type Provenance,
  positionOfField,
  type Server,
} from "../../model/index.ts";
import { approvalStatus } from "../../policy/index.ts";
import { describeProfile } from "../../sandbox/index.ts";
import { isForEntry } from "../approvals/allowed-calls.ts";
import type { LaunchInspection } from "../approvals/inspect-launch.lazy.ts";
import { sandboxSource } from "../approvals/sandbox-choices.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { describeStart, describeStarted } from "../lifecycle/prepare-launch.ts";
import { describeSignIn, formatSignInRoute } from "../sign-in/describe-sign-in.ts";
import { type PackageRecord, readPackageRecord } from "../supply/package-record.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";
import { describeServer, describeShadowed, type ServerView } from "./describe-server.ts";
import { shownField } from "./shown-field.ts";

/** One server, field by field, with the source of each value. */
export interface ServerExplanation {
  /** The server and its state. */
  readonly server: ServerView;
  /** The fields of its entry. */
  readonly fields: readonly {
    /** The name of the field, such as `command`. */
    readonly field: string;
    /** The value. Secrets and all `env` and header values are masked; placeholders are shown as written. */
    readonly value: JsonValue;
    /** Where the field is defined. */
    readonly source: Pick<Provenance, "file" | "line" | "column">;
  }[];
  /** One line each about the transport, whether it is enabled and approved, timeouts, and which other tools read the entry. */
  readonly reasons: readonly string[];
  /** Entries with the same name that are not used, because this one takes precedence. */
  readonly shadowed: readonly ServerView[];
}

export async function explainServer(workspace: Workspace, name: string): Promise<ServerExplanation> {
  const server = findServer(workspace, name);
  const { declaration, provenance } = server;
  const fields = Object.entries(declaration.fields).map(([field, value]) => ({
    field,
    value: shownField(field, value, declaration.expansion),
    source: positionOfField(declaration, field),
  }));
  const decision = decide(workspace, server);
  const approval = approvalStatus(server, workspace.inventory().approvals).kind;
  const isInvalid = !decision.allowed && decision.reason === "invalid";
  const isApprovedButDenied = approval === "approved" && !decision.allowed;
  const owner = declaration.owner;
  const { launch } = server;
  const signIn = await describeSignIn(workspace, server);
  const start = launch?.transport === "stdio" ? await describeStart(workspace, server, launch) : undefined;
  const started = start && launch?.transport === "stdio" ? describeStarted(start, launch) : undefined;
  // Files that an entry refers to are not opened before it is approved. `trust` shows what the entry would run.
  const { runs, envFile } = decision.allowed ? await inspect(workspace, server) : NOT_INSPECTED;
  const commands = runs.filter(({ field }) => field !== "command" && field !== "wrap");
  return {
    server: describeServer(server, stateOf(workspace, server)),
    fields,
    reasons: [
      `transport: ${server.transport ?? "unknown"} (${server.transportReason})`,
      `${server.enabled ? "enabled" : "disabled"}: ${server.enabledBy}`,
      // The problem that makes an entry invalid is among the server's problems.
      `${decision.allowed ? "allowed" : "not allowed"}: ${isInvalid ? "its entry is invalid" : decision.because}${isApprovedButDenied ? " (approved)" : ""}`,
      ...describeSandbox(workspace, server),
      ...(started === undefined ? [] : [`starts: ${started}`]),
      ...describePackages(await readPackageRecord(workspace, server)),
      ...(start === undefined ? [] : [`working folder: ${start.folder}`]),
      ...commands.map(
        ({ field, command }) =>
          `runs: ${maskArguments(command.split(" ")).join(" ")} (a shell command, for ${field})`,
      ),
      ...(envFile?.found === true ? [`envFile sets: ${describeNames(envFile.names)}`] : []),
      ...(signIn === undefined ? [] : [`sign-in: ${formatSignInRoute(signIn)}`]),
      ...describeApprovals(workspace, server),
      `connection timeout: ${server.startupTimeoutMs} ms (${server.startupTimeoutSource})`,
      `call timeout: ${server.timeoutMs} ms (${server.timeoutSource})`,
      ...(provenance.readers === undefined ? [] : [`also read by ${provenance.readers.join(", ")}`]),
      ...(owner === undefined
        ? []
        : owner.problems.map((code) => `${provenance.tool} ${OWNER_PROBLEMS[code]}`)),
    ],
    shadowed: server.shadowed.map((entry) => describeShadowed(workspace, entry, server)),
  };
}

function describePackages(record: PackageRecord | undefined): string[] {
  if (record === undefined) return [];
  const { packages, advisoriesAt, checkedAt, withoutScripts } = record;
  const day = (at: string): string => at.slice(0, 10);
  return [
    ...packages.map(({ name, version, publishedAt, provenance }) =>
      [
        `package: ${name}@${version}`,
        publishedAt === undefined ? "publication date unknown" : `published ${day(publishedAt)}`,
        provenance === undefined ? "no provenance" : `provenance ${provenance} (not verified)`,
        advisoriesAt === undefined
          ? "not compared with advisories, because none were fetched"
          : `compared with advisories of ${day(advisoriesAt)} on ${day(checkedAt)}`,
      ].join(", "),
    ),
    ...(withoutScripts.length === 0
      ? []
      : [
          `install scripts that did not run: ${withoutScripts.join(", ")} ("installScripts" in the settings)`,
        ]),
  ];
}

const SANDBOX_SOURCES = {
  entry: "its entry",
  settings: '"sandbox" in the settings',
  choice: "you chose it",
} as const;

function describeSandbox(workspace: Workspace, server: Server): string[] {
  const { launch } = server;
  if (launch?.transport !== "stdio" || launch.sandbox === undefined) return [];
  const source = SANDBOX_SOURCES[sandboxSource(workspace, server)];
  return [`sandbox: ${describeProfile(launch.sandbox, workspace.environment.home)} (${source})`];
}

/** Describes what applies to calls in addition to the entry's own rules. */
function describeApprovals({ inventory }: Workspace, server: Server): string[] {
  const { settings, allowedCalls } = inventory();
  const tools = allowedCalls.filter((call) => isForEntry(call, server)).map(({ tool }) => tool);
  return [
    ...(settings.approval === undefined
      ? []
      : [`calls without a rule in the entry: ${settings.approval} ("approval" in the settings)`]),
    ...(tools.length === 0 ? [] : [`calls that you always allow: ${tools.sort().join(", ")}`]),
  ];
}

const NOT_INSPECTED: Pick<LaunchInspection, "runs" | "envFile"> = { runs: [] };

async function inspect(workspace: Workspace, server: Server): Promise<LaunchInspection> {
  return (await import("../approvals/inspect-launch.lazy.ts")).inspectEntry(workspace, server);
}

function describeNames(names: readonly string[]): string {
  const shown = names.filter((name) => !isHiddenName(name));
  const hidden = names.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more with unusual names`] : [])].join(", ") || "nothing";
}
