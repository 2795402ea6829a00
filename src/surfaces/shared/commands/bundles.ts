import type { Bundle } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { renderTable } from "../render/table.ts";

export const bundles: Command = {
  name: "bundles",
  summary: "List bundles: named subsets of a server's tools for an agent.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {},
  examples: ["plugboard bundles", "plugboard bundles --json"],
  async run(context) {
    const { json, printJson, terminal } = context;
    const found = (await context.openHost()).config.bundles();
    if (json) printJson({ bundles: found });
    else if (found.length === 0) terminal.out("No bundle is configured.\n");
    else {
      const rows = found.map((bundle) => [
        safeLine(bundle.id),
        safeLine(bundle.server),
        bundle.mode,
        describeLists(bundle),
        renderPlace(bundle.source, displayContextOf(context)),
      ]);
      const cells = [["bundle", "server", "mode", "tools", "place"], ...rows].map((row) =>
        row.map((text) => ({ text })),
      );
      terminal.out(`${renderTable(cells).join("\n")}\n`);
    }
    return 0;
  },
};

function describeLists({ allowTools, denyTools }: Bundle): string {
  const allowed = allowTools === undefined ? "all" : allowTools.map(safeLine).join(", ") || "none";
  return denyTools.length === 0 ? allowed : `${allowed} but not ${denyTools.map(safeLine).join(", ")}`;
}
