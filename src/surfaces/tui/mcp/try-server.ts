import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type HostOptions,
  isHostError,
  type JsonObject,
  messageOf,
  type ServerOptions,
  ToolAbortError,
} from "../../../index.ts";
import { createHost } from "../../shared/create-host.ts";
import { draftEntry } from "./draft-entry.ts";
import type { Draft, Trial } from "./wizard-state.ts";

/** The variable that holds the key during a test. As a variable, the key is never parsed as a reference. */
const KEY = "PLUGBOARD_KEY_TO_TRY";

/** Tests the drafted server with a temporary host that stores no files, approvals or secrets. */
export async function tryServer(draft: Draft, options: HostOptions, signal: AbortSignal): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "plugboard-try-"));
  const { cwd, home, ports, settings } = options;
  const entry = draftEntry(draft, draft.keySource === "vault" ? `\${${KEY}}` : `\${${draft.variable}}`);
  const host = await createHost({
    ...(cwd !== undefined && { cwd }),
    ...(home !== undefined && { home }),
    ...(ports && { ports }),
    ...(settings && { settings }),
    env: { ...(options.env ?? process.env), PLUGBOARD_HOME: folder, [KEY]: draft.key },
    discover: false,
    eager: false,
    servers: { [draft.name]: entry as JsonObject & ServerOptions },
  });
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new ToolAbortError("Cancelled.")), { once: true });
  });
  try {
    if (signal.aborted) throw new ToolAbortError("Cancelled.");
    const { facts, tools } = await Promise.race([host.doctor.test(draft.name), cancelled]);
    const server = [facts.name ?? "(unnamed)", facts.version && `v${facts.version}`];
    return { kind: "works", server: server.filter(Boolean).join(" "), tools };
  } catch (error) {
    return toTrial(error);
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function toTrial(error: unknown): Trial {
  if (error instanceof ToolAbortError) return { kind: "cancelled", message: "The test was cancelled." };
  if (!isHostError(error)) return { kind: "failed", message: messageOf(error) };
  const { reason, code, message, hint } = error;
  const kind = reason === "signIn" || code === "AUTH_REQUIRED" ? "signIn" : "failed";
  return { kind, message, ...(hint !== undefined && { hint }) };
}
