import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { realServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

test("the filesystem server reads, writes, lists and searches files", async () => {
  await using sandbox = await createSandbox();
  const note = await sandbox.writeProject("note.txt", "remember the milk");
  const copy = join(sandbox.project, "copy.txt");
  const servers = { filesystem: realServer("filesystem", sandbox.project) };
  await using host = await hostIn(sandbox, { servers });
  const call = async (tool: string, args: Record<string, string>): Promise<string> =>
    (await host.call("filesystem", tool, args)).text;

  expect(await call("read_file", { path: note })).toBe("remember the milk");
  expect(await call("write_file", { path: copy, content: "and the bread" })).toContain("copy.txt");
  expect(await readFile(copy, "utf8")).toBe("and the bread");
  expect(await call("list_directory", { path: sandbox.project })).toContain("[FILE] copy.txt");
  expect(await call("search_files", { path: sandbox.project, pattern: "*.txt" })).toContain(note);
});

test("the filesystem server refuses a file outside its folder with an error of its own", async () => {
  await using sandbox = await createSandbox();
  const secret = await sandbox.writeHome("secret.txt", "nobody's business");
  await using host = await hostIn(sandbox, { servers: { files: realServer("filesystem", sandbox.project) } });
  const { text, isError } = await host.call("files", "read_file", { path: secret });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining("Access denied") });
});

test("the memory server keeps what it is told", async () => {
  await using sandbox = await createSandbox();
  const memory = {
    ...realServer("memory"),
    env: { MEMORY_FILE_PATH: join(sandbox.home, "memory.jsonl") },
  };
  await using host = await hostIn(sandbox, { servers: { memory } });
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }];

  expect((await host.tools("memory")).map(({ tool }) => tool)).toContain("create_entities");
  expect(await host.call("memory", "create_entities", { entities })).toMatchObject({ isError: false });
  expect((await host.call("memory", "read_graph")).structured).toEqual({ entities, relations: [] });
});

test("the everything server lists its tools and adds two numbers", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { everything: realServer("everything") } });
  const names = (await host.tools("everything")).map(({ name }) => name);
  expect(names).toContain("mcp_everything_get_sum");
  expect(await host.call("everything", "get-sum", { a: 2, b: 3 })).toMatchObject({
    text: "The sum of 2 and 3 is 5.",
    isError: false,
  });
});
