import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { hostIn, PATIENTLY } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";

const NAMES = [
  "..",
  ".",
  "../../up",
  "../../../../etc/cron.d/x",
  "/etc/passwd",
  "~/.ssh/authorized_keys",
  "a/b/c",
  "a\\b",
  "..\\..\\up",
  "CON",
  "nul",
  "COM1",
  "a.",
  "a ",
  "a:b",
  "a*?b",
  "%2e%2e%2fup",
  "....//up",
  "..;/up",
  "a\u0000b",
  "a\nb",
  "\u202eb",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "A",
  "ａ",
  "x".repeat(300),
  "日本",
  "-rf",
  "--help",
];

/** Returns every file by its path below the folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

test("the name of a server or a tool never becomes a path or a property of every object", async () => {
  await using sandbox = await createSandbox();
  const tools = Object.fromEntries(
    NAMES.map((name) => [
      `${name}!`,
      { run: () => ({ content: [{ type: "image", data: "AAAA", mimeType: `image/${name}` }] }) },
    ]),
  );
  await using server = await serveHttp({ name: "x", version: "1", tools });
  const servers: Record<string, ServerOptions> = Object.create(null);
  for (const [index, name] of NAMES.entries()) {
    const isProgram = index % 4 === 0;
    Object.defineProperty(servers, name, {
      value: isProgram
        ? { command: "/bin/sh", args: ["-c", "echo said >&2; exit 1"] }
        : { type: "http", url: `${server.url}?${index}` },
      enumerable: true,
    });
  }
  const before = await filesBelow(dirname(sandbox.home));
  {
    await using host = await hostIn(sandbox, { servers });
    const found = await host.tools(PATIENTLY);
    expect(found.length).toBeGreaterThan(NAMES.length);
    for (const tool of found.slice(0, NAMES.length)) await tool.execute({});
    expect(
      host
        .servers()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...new Set(NAMES)].sort());
  }
  const written = (await filesBelow(dirname(sandbox.home))).filter((file) => !before.includes(file));
  expect(written.length).toBeGreaterThan(10);
  const own = [".local/state/plugboard", ".cache/plugboard"].map((folder) => join(sandbox.home, folder));
  expect(written.filter((file) => !own.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
  const said = written.map((file) => file.slice(sandbox.home.length));
  expect(said.filter((file) => /up|passwd|CON|nul|proto|日本|\.\./.test(file))).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { run?: unknown }).run).toBeUndefined();
});
