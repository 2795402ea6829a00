import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { mastraNode } from "./mastra/node.ts";

const DRIVER = resolve("test/consumers/snippets/gateway-clients.mjs");

/** The versions are those in `snippets/package.json`. Two of them have no prompts. */
test.skipIf(mastraNode === undefined).each([
  ["sdk-v1", true],
  ["ai-sdk", true],
  ["langchain", false],
  ["mastra", false],
])(
  "%s uses the gateway's tools, resources and prompts (skipped if npm has no Node 22 for this platform)",
  async (client, hasPrompts) => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayIn(sandbox, { servers: { notes: stdioServer("tools-server.mjs") } });
    const { url, token } = await gateway.listen({ port: 0 });
    const env = { ...sandbox.env(), TOKEN: token };
    const { stdout } = await promisify(execFile)(mastraNode ?? "", [DRIVER, client, url], { env });
    const used = JSON.parse(stdout) as { readonly tools: readonly string[] };
    expect(used.tools).toEqual(expect.arrayContaining(["notes_echo", "notes_add", "notes_progress"]));
    expect(used).toMatchObject({
      called: "hi",
      resource: "Welcome.",
      ...(hasPrompts && { prompt: "Say hello to Ada." }),
    });
  },
);
