import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

describe.each([
  [".omp", "oh-my-pi"],
  [".xcsh", "xcsh"],
  [".pisces", "pisces"],
])("a server in %s of the repository", (folder) => {
  test("is found from a subfolder, and the owner's verdict says that the product would not find it", async () => {
    await using sandbox = await createSandbox();
    const cwd = join(sandbox.project, "packages", "one");
    await mkdir(cwd, { recursive: true });
    await sandbox.writeProject(`${folder}/mcp.json`, { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    await using above = await hostIn(sandbox);
    await using host = await hostIn(sandbox, { cwd });
    expect(host.servers()[0]?.ownerVerdict).toEqual({
      valid: false,
      problems: ["working-folder-only"],
    });
    expect(above.servers()[0]?.ownerVerdict).toEqual({ valid: true, problems: [] });
    await host.approvals.approve("raw", host.approvals.request("raw").hash);
    expect((await host.call("raw", "echo", { text: "hi" })).text).toBe("hi");
  });
});
