import { describe, expect, test } from "vitest";
import { entryOf, PROJECT } from "../../../test/support/entries.ts";
import { createFakePorts, type FakePorts } from "../../../test/support/fake-ports.ts";
import { declareServer } from "../../discovery/index.ts";
import type { JsonObject } from "../../model/index.ts";
import { approvalHash } from "../../policy/index.ts";
import { allowedCallsOf, approvalsOf, createFileApprovals, findOwnPaths } from "../../state/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import { compareInventories, type Inventory, type InventorySource, readInventory } from "./read-inventory.ts";

const USER_FILE = "/home/me/.plugboard/mcp.json";
const environment = { platform: "linux", home: "/home/me", cwd: "/project", variables: {} };
const places = findOwnPaths(environment);

function portsWith(files: Readonly<Record<string, object | string>>): FakePorts {
  const texts = Object.entries(files).map(([file, content]): [string, string] => [
    file,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  return createFakePorts(createMemoryFiles(new Map(texts)));
}

function read(ports: FakePorts, source: Partial<InventorySource> = {}): Promise<Inventory> {
  return readInventory({
    ports,
    environment,
    places,
    givenSettings: {},
    given: [],
    discover: true,
    trustProject: false,
    approvals: approvalsOf(createFileApprovals(ports, places)),
    allowedCalls: allowedCallsOf(ports, places),
    ...source,
  });
}

const servers = (name: string, fields: JsonObject): object => ({ mcpServers: { [name]: fields } });
const ownerOf = ({ servers: found }: Inventory, name: string): unknown =>
  found.get(name)?.declaration.fields["command"];

const BOTH = {
  [PROJECT.file]: servers("a", { command: "theirs" }),
  [USER_FILE]: servers("a", { command: "mine" }),
};

describe("a name that a project and the user both use", () => {
  test("refers to the user's server until the project's launch is approved, and to the project's afterwards", async () => {
    const ports = portsWith(BOTH);
    const before = ownerOf(await read(ports), "a");
    await approvalsOf(createFileApprovals(ports, places)).add([
      {
        file: PROJECT.file,
        server: "a",
        hash: approvalHash(entryOf("a", { command: "theirs" }, PROJECT)),
        fields: { command: "theirs" },
        approvedAt: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect([before, ownerOf(await read(ports), "a")]).toEqual(["mine", "theirs"]);
  });

  test("refers to the project's server in a run that trusts the project", async () => {
    expect(ownerOf(await read(portsWith(BOTH), { trustProject: true }), "a")).toBe("theirs");
  });

  test("refers to the user's server if the approvals cannot be read, and a problem is reported", async () => {
    const inventory = await read(portsWith({ ...BOTH, [`${places.state}/approvals.json`]: "{" }));
    expect([ownerOf(inventory, "a"), inventory.problems.map(({ code }) => code)]).toEqual([
      "mine",
      ["state-unreadable"],
    ]);
  });
});

test("a program's servers take precedence over all files", async () => {
  const given = [
    declareServer(
      "a",
      { command: "program" },
      { tool: "program", scope: "program", tier: "user", file: "x" },
    ),
  ];
  const inventory = await read(portsWith(BOTH), { given });
  expect([ownerOf(inventory, "a"), inventory.servers.get("a")?.shadowed.length]).toEqual(["program", 2]);
});

test("without discovery, only the program's servers are used", async () => {
  const given = [
    declareServer(
      "b",
      { command: "program" },
      { tool: "program", scope: "program", tier: "user", file: "x" },
    ),
  ];
  const { servers: found, files } = await read(portsWith(BOTH), { given, discover: false });
  expect([[...found.keys()], files]).toEqual([["b"], []]);
});

test("a server disabled in the user's own file is disabled, whatever file defines it", async () => {
  const { servers: found } = await read(
    portsWith({
      [PROJECT.file]: servers("a", { command: "theirs" }),
      [USER_FILE]: { disabledServers: ["a"] },
    }),
  );
  expect(found.get("a")).toMatchObject({ enabled: false, enabledBy: '"disabledServers" in your own config' });
});

test.each<[string, JsonObject | undefined, JsonObject | undefined, { gone: string[]; fresh: string[] }]>([
  ["a server that came", undefined, { command: "x" }, { gone: [], fresh: ["a"] }],
  ["a server that went", { command: "x" }, undefined, { gone: ["a"], fresh: [] }],
  ["a server that stayed", { command: "x" }, { command: "x" }, { gone: [], fresh: [] }],
  ["a server with another launch", { command: "x" }, { command: "y" }, { gone: ["a"], fresh: ["a"] }],
  ["a server with another time-out", { command: "x" }, { command: "x", timeout: 5 }, { gone: [], fresh: [] }],
  [
    "a server that was disabled",
    { command: "x" },
    { command: "x", enabled: false },
    { gone: ["a"], fresh: [] },
  ],
  [
    "a server that was enabled",
    { command: "x", enabled: false },
    { command: "x" },
    { gone: [], fresh: ["a"] },
  ],
])("a reload reports what changed: %s", async (_, before, after, expected) => {
  const inventoryOf = (fields: JsonObject | undefined): Promise<Inventory> =>
    read(portsWith(fields === undefined ? {} : { [USER_FILE]: servers("a", fields) }));
  const changes = compareInventories(await inventoryOf(before), await inventoryOf(after), false);
  expect(changes).toEqual({ ...expected, bundled: [] });
});
