import type { DecideCall } from "../adapter-options.ts";
import type { BoundTools } from "../bound-tools.ts";

/** The part of the SDK's context of a permission request that is used here. */
export interface PermissionContext {
  /** The id of the call. */
  readonly toolUseID: string;
  /** The tool's server. `source` is `"sdk"` for the program's own servers. */
  readonly mcpServer?: { readonly name: string; readonly source: string };
  /** The person's own rule that requires a question, if there is one. */
  readonly matchedAskRule?: object;
}

/** The result of a permission request. */
export type PermissionResult =
  | { behavior: "allow"; updatedInput?: Record<string, unknown> }
  | { behavior: "deny"; message: string };

type Ask<Context, Result> = (
  tool: string,
  input: Record<string, unknown>,
  context: Context,
) => Promise<Result>;

/** Answers permission requests, and remembers which calls a person approved. */
export interface Approvals {
  decide<Context extends PermissionContext, Result extends PermissionResult | null>(
    tool: string,
    input: Record<string, unknown>,
    context: Context,
    ask: Ask<Context, Result> | undefined,
  ): Promise<Result | PermissionResult>;
  /** Returns whether a person approved exactly this call. Returns `true` only once. */
  take(id: string | undefined, name: string, args: unknown): boolean;
}

/** Approved calls that the SDK never makes are dropped beyond this number. */
const MOST_APPROVED = 1_000;

export function createApprovals(
  bound: BoundTools,
  server: string,
  decide: DecideCall | undefined,
): Approvals {
  const approved = new Set<string>();
  const keyOf = (id: string, name: string, args: unknown): string => JSON.stringify([id, name, args]);
  const prefix = `mcp__${server}__`;
  return {
    async decide(tool, input, context, ask) {
      const { toolUseID: id, mcpServer, matchedAskRule } = context;
      const isOwn = tool.startsWith(prefix) && (mcpServer === undefined || mcpServer.source === "sdk");
      const name = tool.slice(prefix.length);
      const decision = isOwn ? await bound.decide({ name, args: input, id }, decide) : "ask";
      if (decision === "deny") return { behavior: "deny", message: "The call was not approved." };
      if (decision === "allow" && matchedAskRule === undefined)
        return { behavior: "allow", updatedInput: input };
      if (ask === undefined)
        return isOwn
          ? { behavior: "allow", updatedInput: input } // the host asks
          : { behavior: "deny", message: "The program cannot ask about this tool." };
      const result = await ask(tool, input, context);
      if (isOwn && result?.behavior === "allow") {
        approved.add(keyOf(id, name, result.updatedInput ?? input));
        for (const oldest of approved) {
          if (approved.size <= MOST_APPROVED) break;
          approved.delete(oldest);
        }
      }
      return result;
    },
    take: (id, name, args) => id !== undefined && approved.delete(keyOf(id, name, args)),
  };
}
