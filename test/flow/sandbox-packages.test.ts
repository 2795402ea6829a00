import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { startSeededRegistry } from "../support/seeded-registry.ts";
import { hostIn } from "./host-in.ts";

const SERVER = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));
const SLOW = 120_000;

// npx in the sandbox can neither ask the registry nor read which one the user's settings name.
test.skipIf(whyNoSandbox() !== undefined).each(["mcp-acme", "mcp-acme@latest", "mcp-acme@^1.0.0"])(
  "npx -y %s starts in the default sandbox, with a registry from the user's settings",
  async (spec) => {
    await using sandbox = await createSandbox();
    const program = `#!/usr/bin/env node\n${readFileSync(SERVER, "utf8")}`;
    await using registry = await startSeededRegistry(
      () => program,
      [{ name: "mcp-acme", versions: [{ version: "1.0.0", days: 100 }] }],
    );
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    const entry = { command: "npx", args: ["-y", spec], sandbox: true };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: entry } });
    for (const start of ["first", "second"]) {
      await using host = await hostIn(sandbox);
      await host.connect("acme");
      expect([start, host.snapshot().servers[0]?.state]).toEqual([start, "connected"]);
      const { reasons } = await host.config.explain("acme");
      expect(reasons.find((reason) => reason.startsWith("package:"))).toContain("mcp-acme@1.0.0");
    }
  },
  SLOW,
);
