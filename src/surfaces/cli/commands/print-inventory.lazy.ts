import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHost, type InventoryItem } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";
import { toCycloneDx } from "./inventory/cyclone-dx.ts";
import { toSarif } from "./inventory/sarif.ts";

/** Other projects that are looked at. */
const MOST_FOLDERS = 200;

/** Runs `inventory`. */
export async function printInventory(context: CommandContext): Promise<ExitCode> {
  const { flags, terminal, style, signal } = context;
  const { format = "cyclonedx" } = flags;
  if (format !== "cyclonedx" && format !== "sarif")
    throw usageError("Invalid --format value. Use cyclonedx or sarif.");
  const host = await context.openHost({ quiet: true, eager: false, interaction: "forbid" });
  const { servers, elsewhere } = await host.supply.inventory({ signal });
  const all = new Map(servers.map((item) => [keyOf(item), item]));
  for (const folder of new Set(elsewhere.map(projectOf).slice(0, MOST_FOLDERS))) {
    if (!existsSync(folder)) continue;
    await using other = await createHost({ cwd: folder, eager: false, interaction: "forbid" });
    const found = await other.supply.inventory({ signal });
    for (const item of found.servers) if (!all.has(keyOf(item))) all.set(keyOf(item), item);
  }
  const items = [...all.values()];
  const document = format === "sarif" ? toSarif(items) : toCycloneDx(items, new Date());
  terminal.out(`${JSON.stringify(document, undefined, 2)}\n`);
  const files = new Set(items.map(({ source }) => source.file)).size;
  terminal.err(
    `${style.dim(safeLine(`${items.length} ${items.length === 1 ? "entry" : "entries"} in ${files} ${files === 1 ? "file" : "files"}`))}\n`,
  );
  return 0;
}

function keyOf({ source, name }: InventoryItem): string {
  return `${source.tool}\0${source.file}\0${name}`;
}

/** Returns the project of a folder with a config file, such as `.cursor`. */
function projectOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, ".git"))) return at;
  return folder.replace(/[\\/]\.[^\\/]+.*$/, "");
}
