import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ModelServer, startModel } from "../../adapters/model-server.ts";
import { hasPty, KEYS, startOnPty } from "../../support/pty.ts";
import { runCli } from "../../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { startProxy } from "../../support/start-proxy.ts";

const settingsOf = async (sandbox: Sandbox): Promise<string> =>
  readFile(join(sandbox.home, ".plugboard", "settings.json"), "utf8");

/** The ports that local model servers use, by the name of the provider. */
const LOCAL = { ollama: 11434, lmstudio: 1234, llamacpp: 8080, vllm: 8000 };

/** Starts a model server at the address of a program that does not run on this machine. */
async function startLocalModel(): Promise<ModelServer & { readonly provider: string }> {
  for (const [provider, port] of Object.entries(LOCAL)) {
    const model = await startModel([{ text: "From here." }], { models: ["tiny-1b"], port }).catch(
      () => undefined,
    );
    if (model !== undefined) return Object.assign(model, { provider });
  }
  throw new Error("every port of a local model server is in use");
}

describe.skipIf(!hasPty)("/model on a terminal", () => {
  test("lists what the providers offer, and remembers the choice", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/settings.json", '{\n  // mine\n  "keepConversations": false\n}\n');
    const models = ["model-a", "model-b", "evil\u001b[31m"];
    await using model = await startModel([{ text: "Hello." }], { models });
    const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url };
    {
      await using program = startOnPty([], { sandbox, env });
      program.enter("/model");
      await program.waitFor(
        /Which model\?\n {2}Now: anthropic\/claude[^]*anthropic\/model-a [^]*anthropic\/model-b/,
      );
      expect(program.everything()).not.toContain("evil");
      program.type("2");
      await program.waitForText("✓ Using anthropic/model-b.");
      await program.waitForText("It is your default model now.");
    }
    expect(await settingsOf(sandbox)).toBe(
      '{\n  // mine\n  "keepConversations": false,\n  "model": "anthropic/model-b"\n}\n',
    );
    await using later = startOnPty([], { sandbox, env });
    await later.waitFor("anthropic/model-b");
    later.enter("hi");
    await later.waitForText("Hello.");
    expect(model.requests[0]?.["model"]).toBe("model-b");
  });

  test("finds a model server on this machine, but uses it only after the user chose it", async () => {
    await using sandbox = await createSandbox();
    await using model = await startLocalModel();
    const name = `${model.provider}/tiny-1b`;
    await using program = startOnPty([], { sandbox, columns: 100 });
    program.enter("hello");
    await program.waitForText(`/model ${name} (found on this machine`);
    expect(model.requests).toEqual([]);
    program.enter("/model");
    await program.waitFor(new RegExp(`Which model\\?\\n {2}Now: none[^]*${name} +on this machine`));
    program.type(KEYS.enter);
    await program.waitForText(`✓ Using ${name}.`);
    program.enter("hello");
    await program.waitForText("From here.");
    expect(JSON.parse(await settingsOf(sandbox))).toEqual({ model: name });
  });
});

test("requests to a model use the environment's proxies", async () => {
  await using sandbox = await createSandbox();
  await using model = await startModel([{ text: "Through the proxy." }]);
  await using proxy = await startProxy();
  const { port } = new URL(model.url);
  const env = {
    OPENAI_API_KEY: "key-of-the-test",
    OPENAI_BASE_URL: `http://model.example:${port}/v1`,
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
  };
  const { stdout } = await runCli(["-p", "hello"], { sandbox, env });
  expect(stdout).toBe("Through the proxy.\n");
  expect(proxy.asked).toEqual([`POST http://model.example:${port}/v1/responses`]);
});
