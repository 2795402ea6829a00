import { expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

test("two projects with the same launch do not share cached tools", async () => {
  await using sandbox = await createSandbox();
  const { command, args } = stdioServer("raw-server.mjs");
  await sandbox.writeProject("one/.git/config", "");
  await sandbox.writeProject("two/.git/config", "");
  await sandbox.writeProject("one/.mcp.json", { mcpServers: { same: { command, args } } });
  await sandbox.writeProject("two/.mcp.json", { mcpServers: { same: { command, args } } });
  const starts: string[] = [];
  for (const name of ["one", "two", "two"]) {
    await using host = await createHost({
      cwd: `${sandbox.project}/${name}`,
      home: sandbox.home,
      env: sandbox.env(),
      trustProject: true,
    });
    host.subscribe((event) => {
      if (event.type === "server.state" && event.state === "connecting") starts.push(name);
    });
    expect((await host.tools("same")).length).toBeGreaterThan(0);
  }
  expect(starts).toEqual(["one", "two"]);
});
