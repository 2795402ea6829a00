import type { Server, ToolDefinition } from "../../model/index.ts";
import { isReadOnly } from "../../operations/index.ts";
import { isTrusted, type PolicyDecision, type PolicySubject } from "../../policy/index.ts";
import type { ClientRequest } from "../client-request.ts";
import type { AuditTrail } from "../record/audit.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import type { Rights } from "./rights.ts";

type Asker = Pick<ClientRequest, "rights">;

/** Returns whether a client may know about something. Lists, searches and addresses use this, and calls use `decideFor`. */
export function isOffered({ rights }: Asker, subject: PolicySubject): boolean {
  return rights === undefined || rights.decide(subject).answer !== "deny";
}

/** Returns whether a client may know about a server. */
export function seesServer(rights: Rights | undefined, server: string): boolean {
  return rights?.sees(server) ?? true;
}

/** Returns a tool as rules see it. Only a trusted server's annotations count. */
export function toolSubject(
  server: Server,
  tool: Pick<ToolDefinition, "name"> & Partial<Pick<ToolDefinition, "annotations">>,
  args?: PolicySubject["arguments"],
): PolicySubject {
  const { annotations } = tool;
  const reads = isReadOnly(server, tool);
  return {
    kind: "tool",
    server: server.name,
    item: tool.name,
    isReadOnly: reads,
    isDestructive: !reads && !(isTrusted(server) && annotations?.destructiveHint === false),
    arguments: args,
  };
}

/**
 * Returns what the policy says about a use, and records it; `undefined` for a local client. Throws `unknown` if the client may not even know that the
 * subject exists, and an `RpcError` with the rule if only these arguments are denied.
 */
export function decideFor(
  audit: Pick<AuditTrail, "note">,
  request: Pick<ClientRequest, "rights" | "relayed">,
  subject: PolicySubject,
  unknown: () => RpcError,
): PolicyDecision | undefined {
  const { rights } = request;
  if (rights === undefined) return undefined;
  const decision = rights.decide(subject);
  const { server, item } = subject;
  audit.note(request, { server, ...(item !== undefined && { item }), decision });
  if (decision.answer !== "deny") return decision;
  if (decision.missingScope !== undefined) throw missingScope(decision.missingScope);
  const { arguments: _, ...known } = subject;
  if (rights.decide(known).answer === "deny") throw unknown();
  throw new RpcError(INVALID_PARAMS, `The policy does not allow this call (${decision.rule}).`, {
    reason: "denied",
  });
}

/** The error for a request that another token of the same person may make. */
function missingScope(scope: string): RpcError {
  return new RpcError(INVALID_PARAMS, `The token lacks the scope "${scope}".`, {
    reason: "insufficient_scope",
    scope,
  });
}

/** Returns the scope that a request lacks, if that is why it failed. */
export function scopeIn({ data }: RpcError): string | undefined {
  const { reason, scope } = typeof data === "object" && data !== null && "reason" in data ? data : {};
  return reason === "insufficient_scope" && typeof scope === "string" ? scope : undefined;
}
