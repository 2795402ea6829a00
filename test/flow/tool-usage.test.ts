import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AgentTool, Host, HostOptions, SessionOptions } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { hostIn, PATIENTLY } from "./host-in.ts";

const tool = (description: string): ScriptedTool => ({ description, run: () => "done" });
const failing: ScriptedTool = {
  description: "Keeps what the message of the day was.",
  run: () => {
    throw new Error("out of order");
  },
};
const fillers = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, at) => [`filler_${at}`, tool("Fills a tank with water.")]),
);
const TOOLS = {
  post_message: tool("Posts a message to a channel."),
  post_letter: tool("Posts a message as a letter."),
  old_message: failing,
  ...fillers,
};
const QUERIES = ["post message", "announce news"];

let server: Awaited<ReturnType<typeof serveHttp>>;
beforeAll(async () => {
  server = await serveHttp({ name: "s", version: "1", tools: TOOLS });
});
afterAll(() => server.close());

async function setUp(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mail: { type: "http", url: server.url } },
  });
  return sandbox;
}

/** Runs `work` with a host, and closes it, so that everything is saved. */
async function withHost<T>(
  sandbox: Sandbox,
  work: (host: Host) => Promise<T>,
  options: HostOptions = {},
): Promise<T> {
  const host = await hostIn(sandbox, options);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

async function modelOf(host: Host, options: SessionOptions = {}) {
  const tools = await host.session({ mode: "meta", ...options }).tools(PATIENTLY);
  const run = async (name: string, args: object): Promise<string> => {
    const found = tools.find((each) => each.name === name) as AgentTool;
    return (await found.execute(args as never)).text;
  };
  return {
    names: tools.map(({ name }) => name),
    run,
    search: async (queries: readonly string[] = QUERIES) =>
      (await run("mcp_search_tools", { queries })).split("\n").map((line) => line.split("(")[0]),
    call: (name: string) => run("mcp_call_tool", { name, arguments: {} }),
  };
}

const usageFile = (sandbox: Sandbox): string =>
  join(sandbox.env()["XDG_STATE_HOME"] ?? "", "plugboard", "usage.json");

/** Searches, and calls the tool that was not first. */
async function learn(host: Host, options: SessionOptions = {}): Promise<void> {
  const model = await modelOf(host, options);
  expect(await model.search()).toContain("mcp_mail_post_letter");
  expect(await model.call("mcp_mail_post_letter")).toBe("done");
}

const firstOf = async (host: Host, queries?: readonly string[]): Promise<string | undefined> =>
  (await (await modelOf(host)).search(queries))[0];

describe("a tool that was called after a search", () => {
  test("comes first for similar searches, even in later runs", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (host) => {
      expect(await firstOf(host)).toBe("mcp_mail_post_message");
      await learn(host);
      expect(await firstOf(host)).toBe("mcp_mail_post_letter");
    });
    await withHost(sandbox, async (host) => {
      expect(await firstOf(host, ["announcing news", "message posting"])).toBe("mcp_mail_post_letter");
      expect(await firstOf(host, ["fill tank"])).toContain("filler");
      expect((await host.search("post message announce news"))[0]?.tool).toBe("post_letter");
    });
    const text = await readFile(usageFile(sandbox), "utf8");
    expect(text).not.toMatch(/post|letter|message|news|mail/i);
  });

  test("also counts if a program searches and calls the result", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (host) => {
      const found = await host.search("post message", PATIENTLY);
      expect(found[0]?.tool).not.toBe("post_letter");
      await found.find((each) => each.tool === "post_letter")?.execute({});
      expect((await host.search("post message"))[0]?.tool).toBe("post_letter");
    });
  });

  test("does not count if the call failed, or if the search did not find it", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (host) => {
      const model = await modelOf(host);
      await model.search();
      expect(await model.call("mcp_mail_old_message")).toContain("out of order");
      await model.search(["fill tank"]);
      await model.call("mcp_mail_old_message");
      expect(await model.call("mcp_mail_filler_900")).toBe("done");
      expect(await firstOf(host)).toBe("mcp_mail_post_message");
    });
  });

  test("does not count for another session's search", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (host) => {
      const [one, other] = [await modelOf(host), await modelOf(host)];
      await one.search();
      await other.call("mcp_mail_post_letter");
      expect(await firstOf(host)).toBe("mcp_mail_post_message");
    });
  });

  test("counts for one person only", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (host) => {
      await learn(host, { principal: "ada" });
      expect(await firstOf(host)).toBe("mcp_mail_post_message");
      const search = async (principal: string) => (await modelOf(host, { principal })).search();
      expect((await search("ada"))[0]).toBe("mcp_mail_post_letter");
      expect((await search("bob"))[0]).toBe("mcp_mail_post_message");
      expect(await host.forgetUsage()).toBe(false);
      expect((await search("ada"))[0]).toBe("mcp_mail_post_letter");
      const ada = await host.as("ada");
      expect([await ada.forgetUsage(), await ada.forgetUsage()]).toEqual([true, false]);
      expect((await search("ada"))[0]).toBe("mcp_mail_post_message");
    });
  });

  test("does not count if learning is off", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, (host) => learn(host));
    const before = await readFile(usageFile(sandbox), "utf8");
    const off = { settings: { learnFromUse: false } };
    await withHost(
      sandbox,
      async (host) => {
        expect(await firstOf(host)).toBe("mcp_mail_post_message");
        await learn(host);
        expect((await host.doctor.budget()).slots.tools).toEqual([]);
      },
      off,
    );
    expect(await readFile(usageFile(sandbox), "utf8")).toBe(before);
  });

  test("is forgotten on request, while another process has learned more", async () => {
    await using sandbox = await setUp();
    await withHost(sandbox, async (other) => {
      await learn(other);
      await vi.waitFor(() => readFile(usageFile(sandbox)), { timeout: 10_000 }); // so that nothing is written after forgetting
      await withHost(sandbox, async (host) => {
        await learn(host);
      });
      await withHost(sandbox, async (host) => {
        expect(await firstOf(host)).toBe("mcp_mail_post_letter");
        expect(await host.forgetUsage()).toBe(true);
        expect(await firstOf(host)).toBe("mcp_mail_post_message");
        expect(await host.forgetUsage()).toBe(false);
      });
    });
  });
});

test("a damaged file means that nothing was learned, and the next call replaces it", async () => {
  await using sandbox = await setUp();
  await withHost(sandbox, (host) => learn(host));
  await writeFile(usageFile(sandbox), "{ damaged");
  await withHost(sandbox, async (host) => {
    expect(await firstOf(host)).toBe("mcp_mail_post_message");
    await learn(host);
  });
  await withHost(sandbox, async (host) => expect(await firstOf(host)).toBe("mcp_mail_post_letter"));
});

describe("in mode auto", () => {
  test("tools that are often used are offered directly, and their hits are counted", async () => {
    await using sandbox = await setUp();
    const auto = { mode: "auto" } as const;
    const META = ["mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"];
    await withHost(sandbox, async (host) => {
      const model = await modelOf(host, auto);
      expect(model.names).toEqual(META);
      for (const _ of [1, 2, 3]) await model.call("mcp_mail_post_message");
      await model.call("mcp_mail_post_letter");
      expect((await modelOf(host, { mode: "meta" })).names).toEqual(META);
      const again = await modelOf(host, auto);
      expect(again.names).toEqual([...META, "mcp_mail_post_message"]);
      await again.run("mcp_mail_post_message", {});
      expect(await again.call("mcp_mail_post_letter")).toBe("done");
    });
    await withHost(sandbox, async (host) => {
      const { slots } = await host.doctor.budget();
      expect(slots.tools).toMatchObject([{ server: "mail", tool: "post_message" }]);
      expect(slots.tokens).toBe(slots.tools.reduce((sum, { tokens }) => sum + tokens, 0));
      expect(slots.share).toBeCloseTo(4 / 6, 1);
      expect(slots.hitRate).toBeCloseTo(1 / 6, 1);
    });
    await withHost(sandbox, async (host) => expect((await modelOf(host, auto)).names).toEqual(META), {
      settings: { toolSlots: 0 },
    });
  });
});
