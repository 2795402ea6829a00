import type { HostEvent, Problem } from "../../model/index.ts";
import type { Log } from "../../platform/index.ts";
import { decideServer } from "../../policy/index.ts";
import type { Inventory } from "./read-inventory.ts";

/** Logs what was read: each problem, each server with the decision about it, and a summary. */
export function logInventory(
  { log }: Log,
  { servers, approvals, problems, files }: Inventory,
  trustProject: boolean,
): void {
  const all = [...problems, ...Array.from(servers.values()).flatMap((server) => server.problems)];
  for (const problem of all) logProblem({ log }, problem);
  let usable = 0;
  for (const server of servers.values()) {
    const decision = decideServer(server, { approvals, trustProject });
    if (decision.allowed) usable += 1;
    const { tool, file, line } = server.provenance;
    log("debug", "server.found", {
      server: server.name,
      ...(server.launch && { transport: server.launch.transport }),
      tool,
      file,
      ...(line !== undefined && { line }),
      ...decision,
    });
  }
  const counts = { servers: servers.size, usable, files: files.length, problems: all.length };
  log("info", "discovery.finished", counts);
}

/** Logs the events that no other line reports. */
export function logEvent(log: Log, event: HostEvent): void {
  if (event.type === "problem") logProblem(log, event.problem);
  if (event.type === "input.needed")
    log.log("info", "input.needed", { server: event.server, reason: event.reason });
}

function logProblem({ log }: Log, { severity, message, ...fields }: Problem): void {
  log(severity === "error" ? "error" : "warn", "problem", { ...fields, text: message });
}
