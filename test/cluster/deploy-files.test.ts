import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { createSandbox } from "../support/sandbox.ts";
import { compileProject } from "../support/type-project.ts";

const folder = fileURLToPath(new URL("../../deploy/", import.meta.url));
const require = createRequire(import.meta.url);

/** A resource of Kubernetes. */
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Compiles resources with the types that are generated from Kubernetes' own API description, which also know no other fields. */
async function checkTypes(resources: readonly Resource[]): Promise<string> {
  await using sandbox = await createSandbox();
  const modules = join(sandbox.project, "node_modules");
  await mkdir(modules);
  await symlink(
    dirname(require.resolve("kubernetes-types/package.json")),
    join(modules, "kubernetes-types"),
    "junction",
  );
  await sandbox.writeProject("tsconfig.json", {
    compilerOptions: { module: "nodenext", strict: true, noEmit: true, types: [] },
  });
  for (const [index, resource] of resources.entries()) {
    const { apiVersion, kind } = resource;
    const [group = "", version = "v1"] = apiVersion === "v1" ? ["core"] : apiVersion.split("/");
    const from = `kubernetes-types/${group.replace(".k8s.io", "")}/${version}`;
    const lines = [
      `import type { ${kind} } from "${from}";`,
      `export const it: ${kind} = ${JSON.stringify(resource)};`,
    ];
    await sandbox.writeProject(`${index}-${kind}.ts`, lines.join("\n"));
  }
  return compileProject(sandbox, "7");
}

async function readResources(): Promise<readonly Resource[]> {
  const files = readdirSync(`${folder}kubernetes`).filter((name) => name.endsWith(".yaml"));
  const texts = await Promise.all(files.map((name) => readFile(`${folder}kubernetes/${name}`, "utf8")));
  const all = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Resource));
  return all.filter(({ kind }) => kind !== "Kustomization"); // kustomize reads it, Kubernetes does not
}

describe("the manifests for Kubernetes", () => {
  test("have only fields that Kubernetes knows, with the right types", async () => {
    const resources = await readResources();
    expect(resources).toHaveLength(6);
    expect(await checkTypes(resources)).toBe("");
  }, 60_000);

  test("would be refused with a misspelled field or a wrong type", async () => {
    const text = JSON.stringify((await readResources()).find(({ kind }) => kind === "Deployment"));
    const wrong = [
      text.replace('"readinessProbe"', '"readynessProbe"'),
      text.replace('"containerPort":8080', '"containerPort":"8080"'),
    ];
    const output = await checkTypes(wrong.map((changed) => JSON.parse(changed) as Resource));
    expect(output).toMatch(/^0-Deployment\.ts.*readynessProbe/m);
    expect(output).toMatch(/^1-Deployment\.ts.*'string' is not assignable to type 'number'/m);
  }, 60_000);
});

describe.each([
  ["Caddy", "caddy", ["validate", "--adapter", "caddyfile", "--config", "Caddyfile"]],
  ["HAProxy", "haproxy", ["-c", "-f", "haproxy.cfg"]],
] as const)("%s", (name, program, args) => {
  const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };
  const isMissing = spawnSync(program, ["-v"], { env }).error !== undefined;
  if (isMissing) console.log(`The config of ${name} is not checked: ${program} is not installed.`);

  test.skipIf(isMissing)("accepts its config file", async () => {
    await using sandbox = await createSandbox();
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      env: { ...sandbox.env(), PATH: env.PATH },
      encoding: "utf8",
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/valid/i)]);
    expect(stdout + stderr).not.toMatch(/\[WARNING\]|"level":"(?:warn|error)"/);
  });
});
