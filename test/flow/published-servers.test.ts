import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
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

test("the filesystem server refuses a file outside its folder with its own error", async () => {
  await using sandbox = await createSandbox();
  const secret = await sandbox.writeHome("secret.txt", "nobody's business");
  await using host = await hostIn(sandbox, { servers: { files: realServer("filesystem", sandbox.project) } });
  const { text, isError } = await host.call("files", "read_file", { path: secret });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining("Access denied") });
});

test("the memory server stores what it is given", async () => {
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

test("the git server offers status, diff, commit and log, and reports what changed in a repository", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject("note.txt", "remember the milk");
  await promisify(execFile)("git", ["init", "--quiet", sandbox.project], { env: sandbox.env() });
  const env = { MCP_TRANSPORT_TYPE: "stdio", LOGS_DIR: join(sandbox.home, "logs") };
  await using host = await hostIn(sandbox, { servers: { git: { ...realServer("git"), env } } });
  const tools = await host.tools("git");
  expect(tools.map(({ tool }) => tool)).toEqual(
    expect.arrayContaining(["git_status", "git_diff", "git_commit", "git_log"]),
  );
  expect(tools.map(({ name }) => name)).toContain("mcp_git_status");
  const status = await host.call("git", "git_status", { path: sandbox.project });
  expect({ isError: status.isError, text: status.text }).toEqual({
    isError: false,
    text: expect.stringContaining("note.txt"),
  });
});

test("the Brave Search server offers web search and local search", async () => {
  await using sandbox = await createSandbox();
  const brave = { ...realServer("brave"), env: { BRAVE_API_KEY: "not-a-key" } };
  await using host = await hostIn(sandbox, { servers: { brave } });
  expect((await host.tools("brave")).map(({ tool }) => tool)).toEqual(
    expect.arrayContaining(["brave_web_search", "brave_local_search"]),
  );
});
