import { expect, test } from "vitest";
import type { ElicitationRequest, Host, HostOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostErrorOf, hostIn } from "./host-in.ts";

async function withServer(
  name: string,
  use: (host: Host) => Promise<void>,
  options: HostOptions = {},
): Promise<void> {
  await using sandbox = await createSandbox();
  const servers = { heavy: stdioServer("heavy-message-server.mjs", [name]) };
  await using host = await hostIn(sandbox, { servers, ...options });
  await use(host);
}

test("a prompt with too many parts is truncated after a thousand", () =>
  withServer("a prompt with one message of 900,000 pieces", async (host) => {
    expect((await host.prompts.get("heavy", "p")).messages).toHaveLength(1_000);
  }));

test("a completion with too many values is truncated after a hundred, and says that there are more", () =>
  withServer("a completion with 900,000 values", async (host) => {
    const found = await host.prompts.complete("heavy", "p", { name: "a", value: "" });
    expect([found.values.length, found.hasMore]).toEqual([100, true]);
  }));

test("an error shows only the beginning of an unknown protocol version that is megabytes long", () =>
  withServer("a protocol version of 15 MB", async (host) => {
    const { message, cause } = await hostErrorOf(host.connect("heavy"));
    expect(message).toContain("it uses protocol version");
    expect(JSON.stringify(cause).length).toBeLessThan(1_000);
  }));

test.each(["a server name of 15 MB", "instructions of 15 MB", "modern instructions of 15 MB"])(
  "long information that a server reports about itself is truncated: %s",
  (name) =>
    withServer(name, async (host) => {
      const facts = await host.connect("heavy");
      expect(facts.capabilities).toContain("tools");
      expect(JSON.stringify(facts).length).toBeLessThan(70_000);
    }),
);

test("a question of several megabytes is truncated before the user sees it", async () => {
  const seen: ElicitationRequest[] = [];
  const onElicitation = (request: ElicitationRequest) => {
    seen.push(request);
    return { action: "decline" } as const;
  };
  await withServer(
    "a question of 15 MB of hidden characters",
    async (host) => {
      await host.call("heavy", "go");
      expect(seen.map(({ message }) => message.length)).toEqual([4_000]);
    },
    { onElicitation },
  );
});

test.each(["a page to visit with an address of 15 MB", "a form with options of 15 MB"])(
  "the user is never shown %s",
  async (name) => {
    let asked = 0;
    const onElicitation = () => {
      asked += 1;
      return { action: "decline" } as const;
    };
    await withServer(name, async (host) => void (await host.call("heavy", "go")), { onElicitation });
    expect(asked).toBe(0);
  },
);

test("a progress message of several megabytes is truncated", () =>
  withServer("a progress message of 15 MB", async (host) => {
    const lengths: (number | undefined)[] = [];
    await host.call("heavy", "go", {}, { onProgress: ({ message }) => lengths.push(message?.length) });
    expect(lengths).toEqual([4_000]);
  }));

test.each([
  ["a request state of 15 MB", "a request state that is too large"],
  ["a request state with 900,000 numbers", "a request state that is too large"],
  ["a task with a name of 15 MB", "a task with an ID of more than 10000 characters"],
])("%s fails the call", (name, message) =>
  withServer(name, async (host) => {
    expect((await hostErrorOf(host.call("heavy", "go"))).message).toContain(message);
  }),
);

test("structured content with many values has a preview and is returned completely", () =>
  withServer("structured content with 900,000 numbers", async (host) => {
    const { text, structured, details } = await host.call("heavy", "go");
    expect(structured).toHaveLength(900_000);
    expect(text.startsWith("[\n  0,\n  0,")).toBe(true);
    expect(details.artifacts).toHaveLength(1);
  }));
