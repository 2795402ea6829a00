import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer } from "../support/test-servers.ts";

const run = promisify(execFile);

async function runExample(file: string, sandbox: Sandbox): Promise<string> {
  const example = resolve("examples", file);
  const { stdout } = await run(process.execPath, [example], { cwd: sandbox.project, env: sandbox.env() });
  return stdout;
}

test("the example of the README lists tools and reads a file", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { files: realServer("filesystem", sandbox.project) },
  });
  await sandbox.writeProject("README.md", "# A project\n");
  const output = await runExample("call-a-tool.mjs", sandbox);
  expect(output).toContain("mcp_files_read_text_file - ");
  expect(output.trimEnd().endsWith("# A project")).toBe(true);
});

test("the example with servers of its own calls one", async () => {
  await using sandbox = await createSandbox();
  const kit = pathToFileURL(resolve("dist/testing/index.js")).href;
  await sandbox.writeProject(
    "clock-server.mjs",
    `import { serveLines } from ${JSON.stringify(kit)};
     const now = { run: () => "noon in " + process.env.ZONE };
     await serveLines({ name: "clock", version: "1", tools: { now } }, process.stdin, process.stdout);`,
  );
  expect(await runExample("own-servers.mjs", sandbox)).toBe("noon in UTC\n");
});

test("the example with a scripted server needs nothing else", async () => {
  await using sandbox = await createSandbox();
  expect(await runExample("scripted-server.mjs", sandbox)).toBe(
    "mcp_weather_forecast → It will rain in Bergen.\n",
  );
});

test("the example that answers a server is asked and answers", async () => {
  await using sandbox = await createSandbox();
  const server = pathToFileURL(resolve("test/servers/asking-server.mjs")).href;
  await sandbox.writeProject("asking-server.mjs", `await import(${JSON.stringify(server)});`);
  expect(await runExample("answer-a-server.mjs", sandbox)).toBe(
    [
      "asking asks: Who are you?",
      "  name (text, required)",
      "  age (integer)",
      "  colour (choice)",
      "  sizes (choices)",
      '{"name":"Ann","age":30,"colour":"green"}',
      "",
    ].join("\n"),
  );
});
