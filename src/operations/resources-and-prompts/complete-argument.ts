import {
  type Completion,
  type CompletionArgument,
  type CompletionRef,
  isJsonObject,
  itemsOf,
  type JsonObject,
} from "../../model/index.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";

/** The protocol's limit for one response. */
const MOST_VALUES = 100;

/** Returns the server's suggestions for an argument; none if the server does not support completions. */
export function completeArgument(
  workspace: Workspace,
  name: string,
  ref: CompletionRef,
  { known, ...argument }: CompletionArgument,
  signal?: AbortSignal,
): Promise<Completion> {
  return onServer(workspace, { server: name, signal }, async ({ use, connect }) => {
    const prepare = async () => ({ server: await use(), connection: await connect() });
    const { server, connection } = await unlessCancelled(signal, prepare, name);
    const { timeoutMs } = server;
    if (!connection.facts.capabilities.includes("completions")) return { values: [], hasMore: false };
    const params: JsonObject = { ref, argument, ...(known && { context: { arguments: known } }) };
    return toCompletion(await connection.request("completion/complete", params, { timeoutMs, signal }));
  });
}

function toCompletion({ completion }: JsonObject): Completion {
  const { values, total, hasMore } = isJsonObject(completion) ? completion : {};
  const all = itemsOf(values);
  const texts = all.slice(0, MOST_VALUES).filter((value): value is string => typeof value === "string");
  return {
    values: texts,
    ...(typeof total === "number" && { total }),
    hasMore: hasMore === true || all.length > MOST_VALUES,
  };
}
