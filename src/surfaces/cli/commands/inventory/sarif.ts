import { pathToFileURL } from "node:url";
import { type InventoryItem, VERSION } from "../../../../index.ts";

const RULES: Readonly<Record<string, string>> = {
  "mcp-server": "A server that a tool on this machine can use.",
  "mcp-not-approved": "A server of a project that is not approved.",
  "mcp-unpinned": "A package without an exact version: the registry decides which version runs.",
  "mcp-no-sandbox": "A local server that can do everything that the user can.",
};

/** Converts an inventory to a SARIF 2.1.0 log: one note per server, and more for what deserves attention. */
export function toSarif(items: readonly InventoryItem[]): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "plugboard",
            version: VERSION,
            rules: Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: items.flatMap(resultsOf),
      },
    ],
  };
}

function resultsOf(item: InventoryItem): object[] {
  const { name, source, state, isUsed, sandbox, unpinned = [] } = item;
  const isFile = /^(?:\/|[A-Za-z]:[\\/])/.test(source.file);
  const locations = isFile
    ? [
        {
          physicalLocation: {
            artifactLocation: { uri: pathToFileURL(source.file).href },
            region: { startLine: source.line ?? 1 },
          },
        },
      ]
    : [];
  const result = (ruleId: string, level: string, text: string): object => ({
    ruleId,
    level,
    message: { text },
    locations,
  });
  return [
    result("mcp-server", "note", describe(item)),
    ...(state === "untrusted" ? [result("mcp-not-approved", "note", `"${name}" is not approved.`)] : []),
    ...unpinned.map((spec) =>
      result("mcp-unpinned", "warning", `"${name}" runs ${spec}, which has no exact version.`),
    ),
    ...(sandbox === "none" && isUsed
      ? [result("mcp-no-sandbox", "note", `"${name}" runs without a sandbox.`)]
      : []),
  ];
}

function describe({
  name,
  source,
  isUsed,
  command,
  args = [],
  url,
  package: found,
  sandbox,
}: InventoryItem): string {
  const runs = url ?? [command ?? "nothing", ...args].join(" ");
  return [
    `"${name}" of ${source.tool}: ${runs}`,
    ...(found === undefined
      ? []
      : [`package ${found.name}${found.version === undefined ? "" : `@${found.version}`}`]),
    ...(sandbox === undefined ? [] : [`sandbox: ${sandbox}`]),
    ...(isUsed ? [] : ["not used, because another entry has its name"]),
  ].join("; ");
}
