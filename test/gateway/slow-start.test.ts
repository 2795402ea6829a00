import { resolve } from "node:path";
import { expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { createSandbox } from "../support/sandbox.ts";

const tiny = (...args: string[]) => ({
  command: process.execPath,
  args: [resolve("bench/servers/tiny.mjs"), ...args],
});

test.each(["legacy", "modern"] as const)(
  "a %s client's first call waits for a server that was too slow for the list",
  async (era) => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayIn(sandbox, {
      servers: {
        slow: tiny("--slow", "1500"),
        broken: { command: process.execPath, args: ["-e", "process.exit(3)"] },
      },
      offer: { waitMs: 1_000 },
    });
    await using client = await openRawClient(gateway, "http", era);
    const call = (name: string) => client.request("tools/call", { name, arguments: { text: "hi" } });
    const [slow, broken, unknown] = await Promise.all([
      call("slow_echo"),
      call("broken_echo"),
      call("missing_echo"),
    ]);
    expect(slow.result).toMatchObject({ content: [{ text: "hi" }] });
    expect(broken.error).toMatchObject({ code: -32603, message: expect.stringContaining('"broken"') });
    expect(unknown.error).toMatchObject({ code: -32602, message: "Unknown tool: missing_echo" });
  },
);
