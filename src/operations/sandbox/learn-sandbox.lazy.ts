import { posix } from "node:path";
import {
  HostError,
  isJsonObject,
  isList,
  type JsonValue,
  messageOf,
  type SandboxDenial,
  type Server,
} from "../../model/index.ts";
import { readTrace, TRACE_FILE } from "../../sandbox/index.ts";
import { onServer } from "../lifecycle/on-server.ts";
import { openServer } from "../lifecycle/open-server.ts";
import { removeAny } from "../lifecycle/plan-sandbox.lazy.ts";
import type { Workspace } from "../workspace.ts";
import { assertSandboxed, proposeSandbox } from "./choose-sandbox.ts";
import { isSensitive, recordDenials, refusedBy, UNKNOWN_HOST } from "./record-denials.ts";
import type { LearnedSandbox, LearnOptions } from "./sandbox-api.ts";

/** The part of a long trace that is read. */
const MOST_BYTES = 256 * 1024 * 1024;
/** So many files of one folder count as the folder. */
const MANY = 5;

/** Starts a server in its sandbox, lists its tools, makes the call if there is one, and returns what was refused. */
export function learnSandbox(
  workspace: Workspace,
  name: string,
  { call, signal }: LearnOptions,
): Promise<LearnedSandbox> {
  return onServer(workspace, { server: name, signal }, async ({ use }) => {
    const server = await use();
    assertSandboxed(server);
    const recording: Workspace = {
      ...workspace,
      recordsSandbox: true,
      borrow: undefined,
      values: { ...workspace.values, plans: new Map(), denials: new Map() },
    };
    const failure = await run(recording, server, { call, signal: signal ?? workspace.closeSignal });
    const { denials, isComplete } = await collect(recording, name);
    const allowed = denials.filter((denial) => !isSensitive(denial));
    return {
      server: name,
      denials: denials.map((denial) => ({ ...denial, isSensitive: isSensitive(denial) })),
      isComplete,
      ...(failure !== undefined && { failure }),
      ...(allowed.length > 0 && { choice: await proposeSandbox(workspace, name, allowed) }),
    };
  });
}

/** Returns why the server did not start or the call failed. */
async function run(
  workspace: Workspace,
  server: Server,
  { call, signal }: { readonly call: LearnOptions["call"]; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { name, timeoutMs } = server;
  try {
    const connection = await openServer(workspace, name, { signal });
    try {
      await connection.request("tools/list", {}, { timeoutMs, signal });
      if (call === undefined) return undefined;
      const params = { name: call.tool, arguments: call.args };
      const result = await connection.request("tools/call", params, { timeoutMs, signal });
      if (result["isError"] !== true) return undefined;
      const text = textOf(result["content"] ?? "");
      await recordDenials(workspace, name, text, call.args);
      return text.slice(0, 2_000);
    } finally {
      await connection.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    const text = messageOf(error);
    await recordDenials(workspace, name, text, call?.args);
    if (workspace.values.plans.has(name)) return text;
    throw error; // nothing was recorded
  }
}

/** Returns the texts of a result's content, or the content as JSON if it has none. */
function textOf(content: JsonValue): string {
  const texts = (isList(content) ? content : []).flatMap((item) =>
    isJsonObject(item) && typeof item["text"] === "string" ? [item["text"]] : [],
  );
  return texts.length > 0 ? texts.join("\n") : JSON.stringify(content);
}

async function collect(
  workspace: Workspace,
  name: string,
): Promise<{ readonly denials: readonly SandboxDenial[]; readonly isComplete: boolean }> {
  const { files } = workspace.ports;
  const plan = workspace.values.plans.get(name);
  if (plan === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" started without its sandbox.`);
  const trace = posix.join(plan.data, TRACE_FILE);
  const bytes = await files.read(trace, MOST_BYTES).catch(() => undefined);
  await removeAny(files, trace);
  const traced = bytes === undefined ? [] : readTrace(new TextDecoder().decode(bytes));
  const found = new Map<string, SandboxDenial>();
  const add = (denial: SandboxDenial): void => void found.set(`${denial.kind} ${denial.target}`, denial);
  for (const denial of workspace.values.denials.get(name)?.values() ?? [])
    if (denial.target !== UNKNOWN_HOST) add(denial);
  for (const denial of traced) {
    // Programs try many addresses of one host, and the ports of their own services.
    if (denial.kind === "host" && plan.network === "none" && found.size > 0) continue;
    const refused = await refusedBy(workspace, plan, denial);
    if (refused !== undefined) add(refused);
  }
  return { denials: collapse([...found.values()]), isComplete: bytes !== undefined };
}

/**
 * Omits paths inside others, and replaces many files of one folder by the folder. Sensitive paths stay as they are, and so does every
 * path of a folder that contains one: the folder would include it.
 */
export function collapse(denials: readonly SandboxDenial[]): SandboxDenial[] {
  const sensitive = denials.filter(isSensitive);
  const others = denials.filter((denial) => !isSensitive(denial));
  const hosts = others.filter(({ kind }) => kind === "host");
  const isSafe = (kind: SandboxDenial["kind"], folder: string): boolean =>
    !isSensitive({ kind, target: folder }) &&
    !sensitive.some(({ target }) => target.startsWith(`${folder}/`));
  const kinds = (["write", "read"] as const).flatMap((kind) => {
    const paths = others.filter((denial) => denial.kind === kind).map(({ target }) => target);
    const count = new Map<string, number>();
    for (const path of paths) count.set(posix.dirname(path), (count.get(posix.dirname(path)) ?? 0) + 1);
    const grouped = paths.map((path) => {
      const folder = posix.dirname(path);
      const isMany = (count.get(folder) ?? 0) >= MANY && folder.split("/").length > 4;
      return isMany && isSafe(kind, folder) ? folder : path;
    });
    const distinct = [...new Set(grouped)];
    return distinct
      .filter((path) => !distinct.some((other) => path !== other && path.startsWith(`${other}/`)))
      .map((target): SandboxDenial => ({ kind, target }));
  });
  const isWritten = (path: string): boolean =>
    kinds.some(({ kind, target }) => kind === "write" && (path === target || path.startsWith(`${target}/`)));
  return [
    ...hosts,
    ...kinds.filter(({ kind, target }) => kind === "write" || !isWritten(target)),
    ...sensitive,
  ];
}
