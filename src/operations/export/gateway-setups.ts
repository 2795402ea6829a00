import { isUnsupported, loadDialects } from "../../discovery/index.ts";
import { setEntry } from "../../documents/index.ts";
import { messageOf } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { gatewayEntry } from "./gateway-entry.ts";

/** How one tool can use the gateway. */
export interface GatewaySetup {
  /** The id of the tool, such as `cursor`. */
  readonly tool: string;
  readonly label: string;
  /** The file to change. */
  readonly file: string;
  readonly format: "json" | "toml";
  /** A whole file with nothing but the gateway's entry. */
  readonly snippet: string;
  /** Whether the file already contains the entry. */
  readonly isSetUp: boolean;
}

/** The setups of all tools, and the tools that cannot use the gateway. */
export interface GatewaySetups {
  readonly clients: readonly GatewaySetup[];
  readonly skipped: readonly { readonly label: string; readonly reason: string }[];
}

/** Returns how each tool can use the gateway. Reads the tools' files and writes nothing. */
export async function gatewaySetups(workspace: Workspace): Promise<GatewaySetups> {
  const clients: GatewaySetup[] = [];
  const skipped: { label: string; reason: string }[] = [];
  const { planExport } = await import("./export-servers.lazy.ts");
  for (const { id, label, format, keyPath, toEntry } of await loadDialects()) {
    const server = gatewayEntry(id, {});
    const entry = toEntry(server);
    const path = keyPath({});
    if (isUnsupported(entry) || isUnsupported(path)) {
      const reason = isUnsupported(entry) ? entry.cannot : "Plugboard cannot edit its file";
      skipped.push({ label, reason });
      continue;
    }
    try {
      const snippet = await setEntry("", format, [...path, server.name], entry);
      const { file, changes } = await planExport(workspace, { tool: id, gateway: {} });
      const isSetUp = changes.every(({ action }) => action === "same");
      clients.push({ tool: id, label, file, format, snippet, isSetUp });
    } catch (error) {
      skipped.push({ label, reason: messageOf(error) });
    }
  }
  return { clients, skipped };
}
