import {
  isEqualJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maskLaunch,
  type Redactor,
  shellWord,
} from "../../../model/index.ts";
import type { LaunchInspection } from "../../../operations/index.ts";
import type { ApprovalRequest } from "../../../policy/index.ts";
import { changesWhatRuns } from "../../../values/index.ts";
import type { ApprovalsDocument, FieldChange, LaunchDetails, LaunchRow } from "../api/approval-documents.ts";
import type { Done } from "../api/page.ts";
import { type PageContext, textIn } from "../page-context.ts";
import { PageFailure, unknownItem } from "../page-failure.ts";
import type { Route } from "../route.ts";
import { isShownWhole } from "../safe-document.ts";
import { shownServers } from "../shown-servers.ts";
import { acceptTools, changedTools } from "./changed-tools.ts";
import { describePlaceOf } from "./describe-problem.ts";

const MOST_SHOWN = 1_000;

/** The routes of approvals. Every approval contains the hash of what was shown. */
export function approvalRoutes(context: PageContext): Route[] {
  const { host, touch } = context;
  const changed = (): Done => {
    touch("approvals", "servers", "tools");
    return { ok: true };
  };
  return [
    {
      method: "GET",
      path: "approvals",
      right: "read",
      answer: () => describeApprovals(context),
    },
    {
      method: "GET",
      path: "approvals/launches/:server",
      right: "read",
      answer: ({ names }) => describeLaunch(context, names["server"] ?? ""),
    },
    {
      method: "POST",
      path: "approvals/launches/:server",
      right: "approvals.decide",
      async answer({ names, body }) {
        const server = names["server"] ?? "";
        const hash = textIn(body, "hash");
        const { choices } = await describeLaunch(context, server);
        if (!choices.some((choice) => choice.hash === hash)) throw outdated(server);
        await host.approvals.approve(server, hash);
        return changed();
      },
    },
    {
      method: "POST",
      path: "approvals/launches/:server/revoke",
      right: "approvals.decide",
      async answer({ names }) {
        await host.approvals.revoke(names["server"] ?? "");
        return changed();
      },
    },
    {
      method: "POST",
      path: "approvals/tools/:server",
      right: "approvals.decide",
      async answer({ names, body }) {
        await acceptTools(context, names["server"] ?? "", textIn(body, "hash"));
        return changed();
      },
    },
    {
      method: "POST",
      path: "approvals/calls/:server/:tool/revoke",
      right: "approvals.decide",
      async answer({ names }) {
        const revoked = await host.approvals.revokeCalls(names["server"] ?? "", names["tool"]);
        if (revoked.length === 0) throw unknownItem("This tool is not always allowed.");
        return changed();
      },
    },
  ];
}

async function describeApprovals(context: PageContext): Promise<ApprovalsDocument> {
  const { host } = context;
  const revision = context.revision("approvals");
  const allowedCalls = await host.approvals.allowedCalls();
  return {
    revision,
    launches: launchesToApprove(context).slice(0, MOST_SHOWN),
    changedTools: await changedTools(context),
    calls: [], // calls that ask are refused, and made again from a page
    given: host.approvals
      .list()
      .slice(0, MOST_SHOWN)
      .map(({ server, file, approvedAt, status }) => ({
        server,
        file,
        ...(approvedAt !== undefined && { approvedAt }),
        status,
      })),
    allowedCalls: allowedCalls
      .slice(0, MOST_SHOWN)
      .map(({ server, tool, allowedAt, status }) => ({ server, tool, allowedAt, status })),
  };
}

/** Returns the servers of projects that wait for approval. */
export function launchesToApprove({ gateway, host }: Pick<PageContext, "gateway" | "host">): LaunchRow[] {
  return shownServers(gateway.workspace).flatMap(({ name, enabled }) => {
    if (!enabled) return [];
    const row = describeRow(host.approvals.request(name));
    return row === undefined ? [] : [row];
  });
}

function describeRow({ server, source, status }: ApprovalRequest): LaunchRow | undefined {
  if (status !== "missing" && status !== "changed") return undefined;
  return {
    server,
    status: status === "missing" ? "new" : "changed",
    place: describePlaceOf(source),
    tool: source.tool,
  };
}

/** Describes exactly what would be approved. Throws if it cannot be shown as a whole, because then it cannot be reviewed here. */
async function describeLaunch({ gateway, host, lists }: PageContext, name: string): Promise<LaunchDetails> {
  const { name: server } = lists.server(name);
  const request = host.approvals.request(server);
  const row = describeRow(request);
  if (row === undefined) throw unknownItem(`"${server}" does not wait for approval.`);
  const inspection = await host.approvals.inspect(server);
  const { hash, choices = [], sandbox, signIn: _, runs, ...facts } = inspection;
  const details: LaunchDetails = {
    ...row,
    launch: maskLaunch(request.launch),
    entry: maskLaunch(request.entry),
    changes: request.changes.map(describeChange),
    inspection: {
      ...facts,
      runs: runs.map(({ field, command, unpinned = [] }) => ({ field, command, unpinned })),
      ...(sandbox !== undefined && { sandbox }),
    },
    choices:
      choices.length === 0
        ? [{ access: accessOf(inspection), hash, isSandboxed: sandbox !== undefined }]
        : choices.map((choice) => ({
            access: choice.access,
            hash: choice.hash,
            isSandboxed: choice.sandbox !== false,
          })),
  };
  const wrong = !isShownWhole(details)
    ? "is too large"
    : hidesCode(request.launch, runs, gateway.workspace.redactor)
      ? "has what looks like a secret where it says what runs, so it cannot be shown completely"
      : undefined;
  if (wrong === undefined) return details;
  throw new PageFailure(
    400,
    "PAGE_NOT_ALLOWED",
    `This launch cannot be reviewed here, because it ${wrong}.`,
    `To review it: plugboard trust ${shellWord(server)}`,
  );
}

/** Returns whether the page would mask a part of what a launch runs: `TOKEN=x; curl … | sh` would be shown as `TOKEN=[secret]`. */
function hidesCode(
  launch: JsonObject,
  runs: LaunchInspection["runs"],
  redactor: Pick<Redactor, "redact">,
): boolean {
  const { command, args, wrap, env } = launch;
  const loaders = Object.entries(isJsonObject(env) ? env : {}).filter(([variable]) =>
    changesWhatRuns(variable),
  );
  const code: JsonObject = {
    ...Object.fromEntries(Object.entries({ command, args, wrap }).filter(([, value]) => value !== undefined)),
    env: Object.fromEntries(loaders),
  };
  const texts = [...runs.map((run) => run.command), JSON.stringify(code)];
  return !isEqualJson(maskLaunch(code), code) || texts.some((text) => redactor.redact(text) !== text);
}

/** The access that a server gets if there is nothing to choose. */
function accessOf({ sandbox, runs, destination }: LaunchInspection): string {
  if (sandbox !== undefined) return sandbox.access;
  return runs.some(({ field }) => field === "command")
    ? "can do everything that you can"
    : `receives requests: ${destination}`;
}

/** Masks values that look like secrets. A value with a field's name is masked as in the launch itself. */
export function describeChange({
  field,
  before,
  after,
}: {
  readonly field: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}): FieldChange {
  return {
    field,
    ...(before !== undefined && { before: masked(field, before) }),
    ...(after !== undefined && { after: masked(field, after) }),
  };
}

function masked(field: string, value: JsonValue): JsonValue {
  return isJsonObject(value) ? maskLaunch(value) : (maskLaunch({ [field]: value })[field] ?? value);
}

function outdated(server: string): PageFailure {
  return new PageFailure(409, "PAGE_OUTDATED", `The launch of "${server}" has changed.`, "Look at it again.");
}
