import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RETIRED_NAME } from "../model/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createToolNameRecords } from "./tool-names.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tool-names-"));
});
afterEach(() => rm(folder, { recursive: true }));

const records = (state = folder) =>
  createToolNameRecords(nodePorts(), { userConfig: "", settings: "", state, cache: "" });
const claims = (entries: Record<string, readonly string[]>) => new Map(Object.entries(entries));

describe("records of tool names", () => {
  test("a name belongs to the first tool that claims it, even in another process", async () => {
    const first = await records().claim(claims({ mcp_a_x: ["1111"] }));
    const again = await records().claim(claims({ mcp_a_x: ["1111"] }));
    expect([first, again].map(({ ownerOf }) => ownerOf("mcp_a_x"))).toEqual(["1111", "1111"]);
  });

  test("a name that two tools claimed is retired", async () => {
    await records().claim(claims({ mcp_a_x: ["1111"] }));
    const later = await records().claim(claims({ mcp_a_x: ["2222"], mcp_a_y: ["3333", "4444"] }));
    const last = await records().claim(claims({ mcp_a_x: ["1111"], mcp_a_y: ["3333"] }));
    for (const { ownerOf } of [later, last])
      expect([ownerOf("mcp_a_x"), ownerOf("mcp_a_y")]).toEqual([RETIRED_NAME, RETIRED_NAME]);
  });

  test("concurrent claims of many processes give a name to one tool at most", async () => {
    const pairs = Array.from({ length: 12 }, (_, index) => `pair ${index}`);
    const found = await Promise.all(
      pairs.map(async (pair) => (await records().claim(claims({ mcp_a_x: [pair] }))).ownerOf("mcp_a_x")),
    );
    expect(found.filter((owner, index) => owner === pairs[index]).length).toBeLessThanOrEqual(1);
    expect((await records().claim(claims({ mcp_b: ["1"] }))).ownerOf("mcp_a_x")).toBe(RETIRED_NAME);
  });

  test("names such as __proto__ are ordinary names", async () => {
    const { ownerOf } = await records().claim(claims({ __proto__: ["1"], constructor: ["2"] }));
    expect([ownerOf("constructor"), ownerOf("toString")]).toEqual(["2", undefined]);
  });

  test("claims that change nothing do not write", async () => {
    await records().claim(claims({ mcp_a_x: ["1111"] }));
    await chmod(join(folder, "tool-names.json"), 0o400);
    const before = await readFile(join(folder, "tool-names.json"), "utf8");
    const { problem } = await records().claim(claims({ mcp_a_x: ["1111"] }));
    expect([problem, await readFile(join(folder, "tool-names.json"), "utf8")]).toEqual([undefined, before]);
  });

  test("the oldest of more than 10,000 names are dropped, but not retired names", async () => {
    await records().claim(claims({ retired: ["1", "2"], oldest: ["1"] }));
    const many = Array.from({ length: 10_000 }, (_, index) => [`n${index}`, ["1"]] as const);
    const { ownerOf } = await records().claim(new Map(many));
    expect([ownerOf("retired"), ownerOf("oldest"), ownerOf("n0"), ownerOf("n9999")]).toEqual([
      RETIRED_NAME,
      undefined,
      "1",
      "1",
    ]);
  });

  test.each([
    ["text that is not JSON", "{"],
    ["a list", "[]"],
    ["a newer version", '{"version":2}'],
  ])("a file with %s is not changed but reported; claims are then valid in this process", async (_, text) => {
    const file = join(folder, "tool-names.json");
    await writeFile(file, text);
    const first = await records().claim(claims({ mcp_a_x: ["1111"] }));
    const second = await records().claim(claims({ mcp_a_x: ["2222"] }));
    expect([first, second].map(({ ownerOf }) => ownerOf("mcp_a_x"))).toEqual(["1111", RETIRED_NAME]);
    expect(second.problem).toMatchObject({ code: "state-unwritable", severity: "warning", file });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("an unwritable folder is reported; claims are then valid in this process", async () => {
    const blocked = join(folder, "blocked");
    await mkdir(blocked);
    await writeFile(join(blocked, "state"), "a file where the folder should be");
    const state = join(blocked, "state");
    const first = await records(state).claim(claims({ mcp_a_x: ["1111"] }));
    const second = await records(state).claim(claims({ mcp_a_x: ["2222"] }));
    expect(second.ownerOf("mcp_a_x")).toBe(RETIRED_NAME);
    expect(first.problem?.message).toContain("a tool name may refer to another tool");
  });
});
