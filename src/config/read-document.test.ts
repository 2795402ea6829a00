import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../test/support/sandbox.ts";
import type { Files } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { ProjectBudget } from "./project-budget.ts";
import { readDocument } from "./read-document.ts";

const FILE = "/project/.mcp.json";
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Reads a file with this content. */
async function read(content: string | Uint8Array) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const files: Files = { ...createMemoryFiles(), read: async () => bytes };
  const { document, exists, problems } = await readDocument(files, FILE);
  return { value: plain(document?.value), exists, problems };
}

describe("a config file", () => {
  test.each<[string, string | Uint8Array]>([
    ["JSON with comments and trailing commas", '{ // mine\n "mcpServers": {}, }'],
    ["JSON with Windows line endings", '{\r\n"mcpServers": {}\r\n}\r\n'],
    ["JSON with a byte order mark", '\ufeff{"mcpServers":{}}'],
    ["UTF-16", new Uint8Array(Buffer.from('\ufeff{"mcpServers":{}}', "utf16le"))],
  ])("can be written as %s", async (_, content) => {
    expect(await read(content)).toEqual({ value: { mcpServers: {} }, exists: true, problems: [] });
  });

  test("that does not exist is not a problem", async () => {
    const { document, exists, problems } = await readDocument(createMemoryFiles(), FILE);
    expect({ document, exists, problems }).toEqual({ document: undefined, exists: false, problems: [] });
  });

  test.each<[string, string | Uint8Array, string, string]>([
    ["is empty", "", "file-empty", `${FILE}:1:1 is empty`],
    [
      "is incomplete",
      '{\n  "mcpServers": {\n',
      "file-syntax",
      `${FILE}:3:1 ends before the closing } (is it incomplete?)`,
    ],
    [
      "is not JSON",
      "mcpServers:\n  a: 1\n",
      "file-syntax",
      `${FILE}:1:1 has "mcpServers", which is not JSON`,
    ],
    [
      "is not UTF-8",
      Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x7d),
      "file-not-text",
      `${FILE}:1:3 is not UTF-8 text; save it as UTF-8`,
    ],
    ["has a NUL byte", "{\n\0}", "file-not-text", `${FILE}:2:1 contains a NUL byte; save it as UTF-8`],
    ["is nested too deeply", "[".repeat(50_000), "file-syntax", `${FILE}:1:1 is nested too deeply`],
    ["is huge", new Uint8Array(10 * 1024 * 1024 + 1), "file-too-large", `${FILE} is larger than 10 MB`],
  ])("that %s is one error with its position", async (_, content, code, message) => {
    const { value, problems } = await read(content);
    expect({
      value,
      problems: problems.map((problem) => [problem.code, problem.severity, problem.message]),
    }).toEqual({
      value: undefined,
      problems: [[code, "error", message]],
    });
  });

  test("can be ten megabytes long", async () => {
    const content = `"${"x".repeat(10 * 1024 * 1024 - 2)}"`;
    expect((await read(content)).problems).toEqual([]);
  });

  test("with a duplicate key is read, with a warning and its position", async () => {
    expect(await read('{\n  "a": 1,\n  "a": 2\n}')).toEqual({
      value: { a: 2 },
      exists: true,
      problems: [
        {
          code: "duplicate-key",
          severity: "warning",
          message: `${FILE}:3:3 has "a" twice (first on line 2); the last one is used`,
          file: FILE,
          line: 3,
          column: 3,
        },
      ],
    });
  });

  test.each([
    ["EACCES", "cannot be read: no permission (check its owner and mode)"],
    ["EPERM", "cannot be read: no permission (check its owner and mode)"],
    ["EIO", "cannot be read: EIO: broken disk"],
  ])("that fails with %s is one error", async (code, message) => {
    const refuse = (): Promise<never> =>
      Promise.reject(Object.assign(new Error(`${code}: broken disk`), { code }));
    const { document, exists, problems } = await readDocument({ ...createMemoryFiles(), read: refuse }, FILE);
    expect({ document, exists, problems }).toEqual({
      document: undefined,
      exists: true,
      problems: [{ code: "file-unreadable", severity: "error", message: `${FILE} ${message}`, file: FILE }],
    });
  });

  test("that is a project's link is reported without the content of its target", async () => {
    await using sandbox = await createSandbox();
    const secret = await sandbox.writeHome("token", "s3cr3t-t0ken\n");
    const { files } = nodePorts();
    for (const format of ["json", "toml", "yaml"] as const) {
      const link = join(sandbox.project, `link.${format}`);
      await symlink(secret, link);
      const { problems } = await readDocument(files, link, format, new ProjectBudget());
      expect(JSON.stringify(problems)).not.toContain("s3cr3t");
    }
    const link = join(sandbox.project, "link.json");
    const message = `${link}:1:1 is not valid; it is a link, so its content is not shown`;
    expect((await readDocument(files, link, "json", new ProjectBudget())).problems).toMatchObject([
      { code: "file-syntax", message, line: 1, column: 1 },
    ]);
    expect((await readDocument(files, link)).problems).toMatchObject([
      { message: `${link}:1:1 has "s3cr3t-t0ken", which is not JSON` },
    ]);
  });

  test("that is a folder, or a link to itself, is one error on a real disk", async () => {
    await using sandbox = await createSandbox();
    const folder = join(sandbox.project, "folder.json");
    const loop = join(sandbox.project, "loop.json");
    await mkdir(folder);
    await symlink(loop, loop);
    const { files } = nodePorts();
    const messages = (await Promise.all([folder, loop].map((file) => readDocument(files, file)))).flatMap(
      ({ problems }) => problems.map(({ message }) => message),
    );
    expect(messages).toEqual([`${folder} is a folder, not a file`, `${loop} is a link to itself`]);
  });
});

test("the content of a project file that may be a link is not shown", async () => {
  const bytes = new TextEncoder().encode('{ "token": s3cret }');
  const files: Files = {
    ...createMemoryFiles(),
    read: async () => bytes,
    realPath: () => Promise.reject(new Error("EACCES")),
  };
  const { problems } = await readDocument(files, FILE, "json", new ProjectBudget());
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("its content is not shown"),
  ]);
});
