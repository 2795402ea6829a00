import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import type { Ports } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { type ApprovalRecords, approvalsOf, createFileApprovals } from "./approvals.ts";
import type { OwnPaths } from "./own-paths.ts";
import type { Approval } from "./stores.ts";

const PLACES: OwnPaths = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const FILE = "/state/approvals.json";

function approval(server: string, hash = "abc", file = "/project/.mcp.json"): Approval {
  return { file, server, hash, fields: { command: "node" }, approvedAt: "2026-01-01T00:00:00.000Z" };
}

const at = (root: string): OwnPaths => ({ ...PLACES, state: join(root, "state") });

const recordsIn = (ports: Ports, places: OwnPaths): ApprovalRecords =>
  approvalsOf(createFileApprovals(ports, places));

/** Values from files have no prototype. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe("approvals", () => {
  test("are empty, without a problem, before the first one is recorded", async () => {
    expect(await recordsIn(createFakePorts(), PLACES).read()).toEqual({ list: [], problems: [] });
  });

  test("are saved as recorded, in a file for the owner only", async () => {
    await using sandbox = await createSandbox();
    const places = at(sandbox.home);
    await recordsIn(nodePorts(), places).add([approval("a")]);
    await recordsIn(nodePorts(), places).add([approval("b")]);
    const { list, problems } = await recordsIn(nodePorts(), places).read();
    const { mode } = await stat(join(places.state, "approvals.json"));
    expect(plain({ list, problems, mode: mode & 0o777 })).toEqual({
      list: [approval("a"), approval("b")],
      problems: [],
      mode: 0o600,
    });
  });

  test("belong to one server in one file: a new one replaces only that one", async () => {
    const ports = createFakePorts();
    await recordsIn(ports, PLACES).add([approval("a", "old")]);
    await recordsIn(ports, PLACES).add([approval("a", "other file", "/other/.mcp.json")]);
    await recordsIn(ports, PLACES).add([approval("a", "new")]);
    const { list } = await recordsIn(ports, PLACES).read();
    expect(list.map(({ file, server, hash }) => [file, server, hash])).toEqual([
      ["/other/.mcp.json", "a", "other file"],
      ["/project/.mcp.json", "a", "new"],
    ]);
  });

  test("that are recorded concurrently are all saved", async () => {
    await using sandbox = await createSandbox();
    const places = at(sandbox.home);
    const names = Array.from({ length: 30 }, (_, index) => `server-${index}`);
    await Promise.all(names.map((name) => recordsIn(nodePorts(), places).add([approval(name)])));
    const { list } = await recordsIn(nodePorts(), places).read();
    expect({ names: list.map(({ server }) => server).sort(), left: await readdir(places.state) }).toEqual({
      names: names.sort(),
      left: ["approvals.json"],
    });
  });
});

describe("an invalid approvals file", () => {
  const broken: readonly [string, string, string][] = [
    ["is incomplete", '{ "version": 1, "approvals": [', "it ends before the closing ] (is it incomplete?)"],
    ["is empty", "", "it is empty"],
    ["contains something else", '"yes"', "it contains no list of approvals of this version"],
    [
      "is of another version",
      '{ "version": 3, "approvals": [] }',
      "it contains no list of approvals of this version",
    ],
    ["has a NUL byte", "\0", "contains a NUL byte; save it as UTF-8"],
  ];

  test.each(broken)("approves nothing and is reported: it %s", async (_, text, why) => {
    const ports = createFakePorts(createMemoryFiles(new Map([[FILE, text]])));
    expect(await recordsIn(ports, PLACES).read()).toEqual({
      list: [],
      problems: [
        {
          code: "state-unreadable",
          severity: "error",
          message: `${FILE} cannot be read (${why}); nothing counts as approved until it can. Delete it to start over.`,
          file: FILE,
        },
      ],
    });
  });

  test.each(broken)("is not overwritten: it %s", async (_, text, why) => {
    const disk = new Map([[FILE, text]]);
    await expect(
      recordsIn(createFakePorts(createMemoryFiles(disk)), PLACES).add([approval("a")]),
    ).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `${FILE} cannot be read (${why}).`,
      hint: "Delete it to start over; you then have to approve every server again.",
    });
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: text });
  });

  test("approves nothing if it is a folder", async () => {
    await using sandbox = await createSandbox();
    const places = at(sandbox.home);
    await mkdir(join(places.state, "approvals.json"), { recursive: true });
    const { list, problems } = await recordsIn(nodePorts(), places).read();
    expect({ list, codes: problems.map(({ code }) => code) }).toEqual({
      list: [],
      codes: ["state-unreadable"],
    });
  });

  test("with one invalid entry loses only that entry", async () => {
    const good = approval("good");
    const text = JSON.stringify({
      version: 2,
      approvals: [
        null,
        "a",
        { ...good, hash: 1 },
        { ...good, fields: [] },
        { ...good, version: 3 },
        { ...good, reader: 1 },
        { ...good, expansion: [] },
        { ...good, envFile: { found: true, names: [1] } },
        { ...good, envFile: { names: [] } },
        { server: "x" },
        good,
      ],
    });
    const { list } = await recordsIn(
      createFakePorts(createMemoryFiles(new Map([[FILE, text]]))),
      PLACES,
    ).read();
    expect(plain(list)).toEqual([good]);
  });
});

test("keys such as __proto__ are kept in approved fields", async () => {
  await using sandbox = await createSandbox();
  const places = at(sandbox.home);
  const fields = JSON.parse('{ "__proto__": { "command": "evil" }, "command": "node" }');
  await recordsIn(nodePorts(), places).add([{ ...approval("a"), fields }]);
  const { list } = await recordsIn(nodePorts(), places).read();
  expect(Object.keys(list[0]?.fields ?? {})).toEqual(["__proto__", "command"]);
  expect(JSON.parse(await readFile(join(places.state, "approvals.json"), "utf8"))).toMatchObject({
    version: 2,
  });
});

test("approvals of version 1 are marked as such, and keep that mark when others are written", async () => {
  const old = JSON.stringify({ version: 1, approvals: [approval("a"), approval("b")] });
  const disk = new Map([[FILE, old]]);
  const ports = createFakePorts(createMemoryFiles(disk));
  expect(plain((await recordsIn(ports, PLACES).read()).list)).toEqual([
    { ...approval("a"), version: 1 },
    { ...approval("b"), version: 1 },
  ]);
  expect(disk.get(FILE)).toBe(old);
  await recordsIn(ports, PLACES).add([approval("b", "new")]);
  const written = JSON.parse(String(disk.get(FILE)));
  expect(written).toEqual({
    version: 2,
    approvals: [{ ...approval("a"), version: 1 }, approval("b", "new")],
  });
  await recordsIn(ports, PLACES).remove([approval("b")]);
  expect(plain((await recordsIn(ports, PLACES).read()).list)).toEqual([{ ...approval("a"), version: 1 }]);
});
