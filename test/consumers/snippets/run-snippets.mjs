/**
 * `node run-snippets.mjs`, with Node 22: runs each task with each library, compares the outputs, and counts lines: not blank, formatted at 100 columns, imports
 * included. Prints a table. Exits with 1 if an output differs or Plugboard's snippet is longer than the shortest.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serveHttp } from "plugboard/testing";
import { script } from "./script.mjs";

const LIBRARIES = ["plugboard", "ai-sdk", "mcp-use", "langchain", "mastra"];
const folder = fileURLToPath(new URL(".", import.meta.url));
const tasks = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "plugboard.mjs")))
  .map(({ name }) => name)
  // Plugboard waits two seconds for a list that is not cached, which a busy machine may exceed. `list` caches it.
  .sort((a, b) => Number(b === "list") - Number(a === "list"));

/** The same server over HTTP, for the tasks that sign in. */
const remote = await serveHttp(script, {
  guard: ({ headers }) => (headers.authorization === "Bearer own-token" ? undefined : 401),
});
const problems = [];
console.log(`| task | ${LIBRARIES.join(" | ")} |\n| --- |${" ---: |".repeat(LIBRARIES.length)}`);
for (const task of tasks) {
  const lines = LIBRARIES.map((library) => countLines(task, library));
  console.log(`| ${task} | ${lines.map((count) => count ?? "–").join(" | ")} |`);
  const [own, ...others] = lines;
  const shortest = Math.min(...others.filter((count) => count !== undefined));
  if (own > shortest) problems.push(`${task}: Plugboard needs ${own} lines, the shortest ${shortest}`);
  const outputs = await Promise.all(LIBRARIES.map((library) => run(task, library)));
  for (const [index, output] of outputs.entries())
    if (output !== undefined && output !== outputs[0])
      problems.push(`${task}: ${LIBRARIES[index]} printed ${output}, Plugboard printed ${outputs[0]}`);
}
await remote.close();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** `undefined` if there is no version for this library. That does not mean that the library cannot do the task. */
function countLines(task, library) {
  const file = join(folder, task, `${library}.mjs`);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

async function run(task, library) {
  const file = join(folder, task, `${library}.mjs`);
  if (!existsSync(file)) return undefined;
  const noTelemetry = { MCP_USE_ANONYMIZED_TELEMETRY: "false", MASTRA_TELEMETRY_DISABLED: "1" };
  const env = { ...process.env, ...noTelemetry, DEMO_URL: remote.url };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: folder,
      env,
      timeout: 100_000,
    });
    return stdout;
  } catch (error) {
    return `an error: ${error.message}`;
  }
}
