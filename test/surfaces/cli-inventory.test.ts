import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startPackageRegistry } from "../support/package-registry.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SERVER = new URL("../servers/raw-server.mjs", import.meta.url).pathname;
const SCRIPT = `#!/usr/bin/env node\nawait import(${JSON.stringify(SERVER)});\n`;

interface Component {
  readonly type: string;
  readonly "bom-ref": string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly hashes?: readonly object[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** A home with servers of three tools, and another project with an approved server. */
async function place(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".cursor/mcp.json", {
    mcpServers: {
      acme: { command: "npx", args: ["-y", "mcp-acme@1.0.0"], env: { TOKEN: "not-shown" } },
      remote: { url: "https://user:zq81@mcp.example.com/mcp?token=zq82" },
    },
  });
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { image: { command: "docker", args: ["run", "-i", "acme/mcp:latest"] } },
  });
  await sandbox.writeProject(".mcp.json", {
    mcpServers: { acme: { command: "uvx", args: ["mcp-acme==2.0"] } },
  });
  const other = join(sandbox.home, "other");
  await mkdir(join(other, ".git"), { recursive: true });
  await sandbox.writeHome("other/.plugboard/mcp.json", {
    mcpServers: { there: { command: "node", args: ["x.mjs"] } },
  });
  const run = await runCli(["trust", "there", "--json"], { sandbox, cwd: other });
  const hash = /"hash": "([0-9a-f]{64})"/.exec(run.stdout)?.[1] ?? "";
  expect(await runCli(["trust", "there", "--yes", "--hash", hash], { sandbox, cwd: other })).toMatchObject({
    code: 0,
  });
  return sandbox;
}

test("`inventory` lists the servers of all tools and projects, with installed packages, as CycloneDX", async () => {
  await using sandbox = await place();
  {
    await using registry = await startPackageRegistry("mcp-acme", SCRIPT);
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    expect(await runCli(["test", "acme"], { sandbox })).toMatchObject({ code: 0 });
  }
  const { code, stdout } = await runCli(["inventory"], { sandbox });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/zq8|not-shown/);
  const bom = JSON.parse(stdout) as {
    specVersion: string;
    components: Component[];
    services: { name: string; endpoints: string[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const servers = bom.components.filter(({ type }) => type === "application");
  expect([bom.specVersion, servers.map(({ name }) => name).sort()]).toEqual([
    "1.6",
    ["acme", "acme", "image", "there"],
  ]);
  expect(bom.services).toMatchObject([
    { name: "remote", endpoints: [expect.stringContaining("mcp.example.com")] },
  ]);
  const npm = bom.components.find(({ purl }) => purl === "pkg:npm/mcp-acme@1.0.0");
  expect(npm).toMatchObject({
    type: "library",
    hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  });
  const purls = bom.components.map(({ purl }) => purl);
  expect(purls).toContain("pkg:pypi/mcp-acme@2.0");
  expect(purls).toContain("pkg:oci/mcp@latest?repository_url=acme%2Fmcp");
  const refs = new Set(bom.components.map((each) => each["bom-ref"]));
  expect(refs.size).toBe(bom.components.length);
  for (const { ref, dependsOn } of bom.dependencies)
    expect([ref, ...dependsOn].filter((each) => !refs.has(each))).toEqual([]);
  const facts = new Map(
    servers.find(({ name }) => name === "there")?.properties.map(({ name, value }) => [name, value]),
  );
  expect(facts.get("plugboard:sandbox")).toMatch(/^none$|home folder hidden/);
  expect(facts.get("plugboard:file")).toContain(join("other", ".plugboard", "mcp.json"));
});

test("`inventory --format sarif` says where each server is defined and what deserves attention", async () => {
  await using sandbox = await place();
  const { stdout } = await runCli(["inventory", "--format", "sarif"], { sandbox });
  expect(stdout).not.toMatch(/zq8|not-shown/);
  const { runs, version } = JSON.parse(stdout) as {
    version: string;
    runs: { results: { ruleId: string; message: { text: string }; locations: object[] }[] }[];
  };
  const results = runs[0]?.results ?? [];
  expect(version).toBe("2.1.0");
  const texts = (rule: string): string[] =>
    results.filter(({ ruleId }) => ruleId === rule).map(({ message }) => message.text);
  expect(texts("mcp-server")).toHaveLength(5);
  expect(texts("mcp-unpinned")).toEqual([expect.stringContaining('"image" runs acme/mcp:latest')]);
  expect(texts("mcp-not-approved")).toEqual(['"acme" is not approved.']);
  expect(texts("mcp-no-sandbox")).toContain('"acme" runs without a sandbox.');
  for (const { locations } of results)
    expect(locations).toMatchObject([
      {
        physicalLocation: {
          artifactLocation: { uri: expect.stringMatching(/^file:\/\/\//) },
          region: { startLine: expect.any(Number) },
        },
      },
    ]);
});

test("`inventory` refuses another format", async () => {
  await using sandbox = await createSandbox();
  const run = await runCli(["inventory", "--format", "spdx"], { sandbox });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("cyclonedx or sarif") });
});
