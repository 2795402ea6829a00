import { expect, test } from "vitest";
import { hostIn, PATIENTLY } from "../flow/host-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** Calls a tool three times in a session, as an agent does. */
async function useTool(sandbox: Sandbox): Promise<void> {
  const host = await hostIn(sandbox);
  const tools = await host.session().tools(PATIENTLY);
  const echo = tools.find(({ tool }) => tool === "echo");
  for (const text of ["a", "b", "c"]) expect(await echo?.execute({ text })).toMatchObject({ isError: false });
  await host.close();
}

test("plugboard tools --budget shows which tools are used often, and plugboard forget usage deletes that", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  const budget = async () => (await runCli(["tools", "--budget"], { sandbox })).stdout;
  expect(await budget()).toMatch(/^often used +0 tools +0 tokens$/m);
  expect(await runCli(["forget", "usage"], { sandbox })).toMatchObject({
    code: 0,
    stdout: "Nothing was learned yet.\n",
  });
  await useTool(sandbox);
  const shown = await budget();
  expect(shown).toMatch(/^often used +1 tool +\d+ tokens$/m);
  expect(shown).toContain("It then also offers tools that are often used: echo of tools.\n");
  expect(shown).toContain("They received 100 % of the recent calls. No such session has made calls yet.\n");
  expect(await runCli(["forget", "usage"], { sandbox })).toMatchObject({
    code: 0,
    stdout: "Deleted everything that was learned from calls.\n",
  });
  expect(await budget()).toMatch(/^often used +0 tools/m);
  const json = await runCli(["forget", "usage", "--json"], { sandbox });
  expect(JSON.parse(json.stdout)).toEqual({ deleted: false });
});

test("plugboard forget requires what to forget", async () => {
  await using sandbox = await createSandbox();
  expect(await runCli(["forget"], { sandbox })).toMatchObject({ code: 2 });
  const wrong = await runCli(["forget", "everything"], { sandbox });
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain('Unknown data "everything".');
});
