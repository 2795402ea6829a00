import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

function hostOf(sandbox: Sandbox, behave: string): Promise<Host> {
  return hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs", ["--behave", behave]) } });
}

describe("a server of the legacy era is reached", () => {
  test.each([
    ["that prints to the wrong place", "noise"],
    ["that takes its time to start", "slow-start"],
    ["that leaves the question about eras unanswered", "ignore-discover"],
    ["that ends at the question about eras", "strict-init"],
  ])("%s", async (_, behave) => {
    await using sandbox = await createSandbox();
    await using host = await hostOf(sandbox, behave);
    expect(await host.connect("raw")).toMatchObject({ era: "legacy", protocolVersion: "2025-06-18" });
    expect(await host.call("raw", "echo", { text: "hello" })).toMatchObject({ text: "hello" });
  });
});

describe("a list of tools", () => {
  test("on several pages is read to its end", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostOf(sandbox, "pages");
    const { tools, problems } = await host.doctor.test("raw");
    expect({ tools, problems }).toEqual({
      tools: ["echo", "pid", "on_page_2", "on_page_3"],
      problems: [],
    });
  });

  test("whose pages form a loop is used up to the repeated page, and a problem is reported", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostOf(sandbox, "same-cursor");
    const { tools, problems } = await host.doctor.test("raw");
    expect(new Set(tools)).toEqual(new Set(["echo", "pid"]));
    expect(problems.at(-1)).toEqual({
      code: "list-partial",
      severity: "warning",
      message: 'server "raw": its list of tools does not end; the first 2 are used',
      server: "raw",
    });
  });

  test("with one invalid tool loses only that tool, which is reported", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostOf(sandbox, "bad-tool");
    const { tools, problems } = await host.doctor.test("raw");
    expect({ tools, problems }).toEqual({
      tools: ["echo", "pid"],
      problems: [
        {
          code: "tool-invalid",
          severity: "warning",
          message: 'server "raw": one tool was dropped: it has no usable name',
          server: "raw",
        },
      ],
    });
  });
});

test("characters that could control a terminal or mislead a model are made visible in names and descriptions", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostOf(sandbox, "evil-text");
  const tools = await host.tools("raw");
  expect(tools.map(({ name }) => name).filter((name) => !/^[a-z0-9_]+$/.test(name))).toEqual([]);
  // oxlint-disable-next-line no-control-regex
  const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;
  expect(tools.filter(({ description }) => unsafe.test(description))).toEqual([]);
  expect(tools.find(({ tool }) => tool === "evil")?.description).toContain("\\x1b[31mred");
});
