import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rollup } from "rollup";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Readonly<Record<string, { readonly default: string }>>;
};

/** Returns the file of one of the package's entry points. */
const fileOf = (name: string): string | undefined => {
  const entry = name === "plugboard" ? "." : name.replace(/^plugboard\//, "./");
  const file = exports[entry]?.default;
  return file === undefined ? undefined : join(root, file);
};

// Bundling takes long on a busy machine, hence the time limit. A deadlock between a program with top-level `await` and a file that imports it would end in a timeout.
test("a program with a scripted server and top-level await works in one rollup bundle", async () => {
  await using sandbox = await createSandbox();
  const program = await sandbox.writeProject(
    "program.mjs",
    `import { createHost } from "plugboard";
    import { serveHttp } from "plugboard/testing";
    const tools = { greet: { run: () => "hello" } };
    const server = await serveHttp({ name: "scripted", version: "1", tools });
    const host = await createHost({ discover: false, servers: { s: { type: "http", url: server.url, timeout: 5_000 } } });
    try {
      console.log((await host.call("s", "greet")).text);
    } finally {
      await host.close();
      await server.close();
    }`,
  );
  const bundle = await rollup({
    input: program,
    external: /^node:/,
    plugins: [{ name: "entry-points", resolveId: (id) => fileOf(id) }],
  });
  const dir = join(sandbox.project, "out");
  await bundle.write({ dir, format: "es", entryFileNames: "main.mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, "main.mjs")], {
    env: sandbox.env(),
  });
  expect(stdout).toBe("hello\n");
}, 120_000);
