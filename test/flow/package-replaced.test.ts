import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Problem } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { type SeededRegistry, startSeededRegistry } from "../support/seeded-registry.ts";
import { failureOf, hostIn } from "./host-in.ts";

const SERVER = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));
const ENTRY = { command: "npx", args: ["-y", "mcp-acme@^1.0.0"] };
const SLOW = 120_000;

async function startRegistry(): Promise<SeededRegistry> {
  const first = { version: "1.0.0", days: 100, provenance: true };
  return startSeededRegistry(
    () => `#!/usr/bin/env node\nawait import(${JSON.stringify(SERVER)});\n`,
    [{ name: "mcp-acme", versions: [first] }],
  );
}

function publishNext(registry: SeededRegistry): void {
  const versions = ["1.0.0", "1.1.0"].map((version) => ({ version, days: 100 }));
  registry.publish([{ name: "mcp-acme", versions }]);
}

test(
  "a replaced package of a project's server requires approval again, although its tools are the same",
  async () => {
    await using sandbox = await createSandbox();
    await using registry = await startRegistry();
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    await sandbox.writeProject(".mcp.json", { mcpServers: { acme: ENTRY } });
    const connect = async (hash?: string): Promise<string> => {
      await using host = await hostIn(sandbox);
      if (hash !== undefined) await host.approvals.approve("acme", hash);
      await host.connect("acme");
      return (
        (await host.config.explain("acme")).reasons.find((reason) => reason.startsWith("package:")) ?? ""
      );
    };
    const first = await hostIn(sandbox);
    const { hash } = first.approvals.request("acme");
    await first.close();
    expect(await connect(hash)).toMatch(
      /^package: mcp-acme@1\.0\.0, published \d{4}-\d\d-\d\d, provenance https:\/\/slsa\.dev\/provenance\/v1 \(not verified\), not compared/,
    );
    expect(await connect()).toContain("mcp-acme@1.0.0");

    await rm(join(sandbox.home, ".npm", "_npx"), { recursive: true });
    publishNext(registry);
    expect(await failureOf(connect())).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: expect.stringContaining("its package mcp-acme@1.0.0 was replaced by mcp-acme@1.1.0"),
    });
    // Another process, such as `trust`, asks about the package; the hash of the first approval does not cover it.
    const next = await hostIn(sandbox);
    const request = next.approvals.request("acme");
    expect(request.status).toBe("changed");
    expect(request.changes).toContainEqual({
      field: "package",
      before: expect.stringContaining("mcp-acme@1.0.0 sha512-"),
      after: expect.stringContaining("mcp-acme@1.1.0 sha512-"),
    });
    expect((await failureOf(next.approvals.approve("acme", hash))).code).toBe("POLICY_HASH_MISMATCH");
    await next.close();
    expect(await connect(request.hash)).toContain("mcp-acme@1.1.0");
    expect(await connect()).toContain("mcp-acme@1.1.0");
  },
  SLOW,
);

test(
  "a replaced package requires approval again after a setting of the server was changed or its envFile was approved",
  async () => {
    await using sandbox = await createSandbox();
    await using registry = await startRegistry();
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    const entry = { type: "stdio", ...ENTRY, envFile: ".env" };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { acme: entry } });
    await sandbox.writeProject(".env", "ONE=1\n");
    const approve = async (): Promise<void> => {
      await using host = await hostIn(sandbox);
      const { hash } = await host.approvals.inspect("acme");
      await host.approvals.approve("acme", hash);
    };
    const connect = async (): Promise<void> => {
      await using host = await hostIn(sandbox);
      await host.connect("acme");
    };
    await approve();
    await connect();
    await using editing = await hostIn(sandbox);
    await editing.config.edit({ name: "acme", changes: [{ path: ["timeout"], value: 60_000 }] });
    await sandbox.writeProject(".env", "ONE=1\nTWO=2\n");
    expect((await failureOf(connect())).code).toBe("INTERACTION_REQUIRED");
    await approve();

    await rm(join(sandbox.home, ".npm", "_npx"), { recursive: true });
    publishNext(registry);
    expect(await failureOf(connect())).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: expect.stringContaining("its package mcp-acme@1.0.0 was replaced by mcp-acme@1.1.0"),
    });
  },
  SLOW,
);

test(
  "a replaced package of the user's own server is reported once",
  async () => {
    await using sandbox = await createSandbox();
    await using registry = await startRegistry();
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    const connect = async (): Promise<Problem[]> => {
      await using host = await hostIn(sandbox, { servers: { acme: ENTRY } });
      const problems: Problem[] = [];
      host.subscribe((event) => {
        if (event.type === "problem") problems.push(event.problem);
      });
      await host.connect("acme");
      return problems;
    };
    expect(await connect()).toEqual([]);
    await rm(join(sandbox.home, ".npm", "_npx"), { recursive: true });
    publishNext(registry);
    expect(await connect()).toMatchObject([
      { code: "package-replaced", message: expect.stringContaining("mcp-acme@1.0.0 is now mcp-acme@1.1.0") },
    ]);
    expect(await connect()).toEqual([]);
  },
  SLOW,
);
