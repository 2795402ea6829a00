import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { goose } from "./goose.ts";

const FILE = "/home/me/.config/goose/config.yaml";
const read = (yaml: string) => readEntry(goose, FILE, `extensions:\n  one: ${yaml}\n`);

describe("an extension of Goose", () => {
  test("is a local server", async () => {
    const entry = await read(
      "{ type: stdio, name: One, enabled: true, cmd: npx, args: [-y, x], envs: { A: '1' }, env_keys: [B], timeout: 300, available_tools: [] }",
    );
    expect(entry.transport?.kind).toBe("stdio");
    expect({ ...entry.fields }).toEqual({
      type: "stdio",
      command: "npx",
      args: ["-y", "x"],
      env: { A: "1" },
      inheritEnv: ["B"],
      enabled: true,
      timeout: 300_000,
    });
    expect(entry.owner).toEqual({ valid: true, problems: [] });
  });

  test("is a remote server, whose URL and headers may use its own variables", async () => {
    const entry = await read(
      "{ type: streamable_http, enabled: false, uri: 'https://$HOST/mcp', envs: { HOST: h }, available_tools: [x] }",
    );
    expect(entry.transport?.kind).toBe("http");
    expect(entry.fields).toMatchObject({ url: "https://$HOST/mcp", enabled: false, allowTools: ["x"] });
    expect(entry.expansion).toMatchObject({ fields: ["url", "headers"], names: { HOST: "h" } });
  });

  test.each([
    ["{ type: stdio, cmd: x }", ["missing-required-field"]],
    ["{ type: stdio, cmd: x, enabled: 'yes' }", ["missing-required-field"]],
    ["{ type: sse, uri: 'https://h', enabled: true }", ["unsupported-transport"]],
    ["{ type: stdio, enabled: true }", ["missing-command"]],
    ["{ type: streamable_http, enabled: true }", ["missing-url"]],
    ["{ type: http, uri: 'https://h', enabled: true }", ["unknown-type"]],
    ["{ cmd: x, enabled: true }", ["missing-type"]],
  ])("is skipped: %s", async (yaml, problems) => {
    expect((await read(yaml)).owner).toEqual({ valid: false, problems });
  });

  test.each([["builtin"], ["platform"], ["frontend"], ["inline_python"]])(
    "of type %s is not a server",
    async (type) => {
      const files = { [FILE]: `extensions:\n  one: { type: ${type}, enabled: true, name: one }\n` };
      expect((await readOn(goose, { files })).entries).toEqual([]);
    },
  );
});

test("a project file of Goose is read with a warning", async () => {
  const files = {
    "/repo/.goose/config.yaml": "extensions:\n  one: { type: stdio, cmd: x, enabled: true }\n",
  };
  const { complaints } = await readOn(goose, { files });
  expect(complaints?.map(({ message }) => message)).toEqual([
    "is read by Plugboard, but Goose may read only its user file",
  ]);
});
