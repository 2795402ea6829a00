/**
 * Writes the tools of the published servers as plain text, one file per server, for people who write search requests.
 * `node bench/search/list-tools.mjs <folder>`. The folder must not be in the repository, because the text is third-party.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectTools, serverNames } from "../collect-tools.mjs";
import { removeScratch } from "../scratch.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: node bench/search/list-tools.mjs <folder>");
  process.exit(2);
}
try {
  mkdirSync(folder, { recursive: true });
  const index = [];
  for (const server of serverNames) {
    const { definitions, unavailable } = await collectTools(console.error, [server]);
    const reason = unavailable.get(server);
    index.push(
      `${server}: ${reason === undefined ? `${definitions.length} tools` : `not collected: ${reason.replace(/\s+/g, " ").slice(0, 300)}`}`,
    );
    if (reason === undefined)
      writeFileSync(join(folder, `${server}.txt`), definitions.map(render).join("\n"));
    else console.error(index.at(-1));
  }
  writeFileSync(join(folder, "INDEX.txt"), `${index.join("\n")}\n`);
} finally {
  removeScratch();
}

function render({ server, tool, title, description, inputSchema }) {
  const parameters = Object.keys(inputSchema.properties ?? {}).join(", ");
  const heading = title === undefined || title === tool ? tool : `${tool} (${title})`;
  return `${server}/${heading}\n  ${description.trim().replaceAll("\n", "\n  ")}\n  parameters: ${parameters || "none"}\n`;
}
