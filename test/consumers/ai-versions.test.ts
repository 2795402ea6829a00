import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startModel } from "../adapters/model-server.ts";
import { calling, PICTURE } from "../adapters/tools-host.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const run = promisify(execFile);
const LONG_MS = 120_000;

/** A program as a user would write it: it names no version of the SDK. */
const PROGRAM = `
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs, streamText, ToolLoopAgent, type ToolSet } from "ai";
import { createHost } from "plugboard";
import { type AiSdkTools, aiSdkTools } from "plugboard/ai-sdk";

const [url = "", server = ""] = process.argv.slice(2);
const model = createAnthropic({ apiKey: "test", baseURL: url + "/v1" })("claude-opus-4-6");
const host = await createHost({ discover: false, servers: { tools: JSON.parse(server) } });
const held: AiSdkTools = await aiSdkTools(host.session(), { schemas: "anthropic" });
const { tools, snapshot } = held;
const stopWhen = stepCountIs(5);
const { text } = await generateText({ model, tools, prompt: "go", stopWhen });
const streamed = await streamText({ model, tools: snapshot(), prompt: "go", stopWhen }).text;
const mixed: ToolSet = { ...tools };
const agent = new ToolLoopAgent({ model, tools, stopWhen });
const byAgent = await agent.generate({ prompt: "go" });
console.log(JSON.stringify([text, streamed, byAgent.text, Object.keys(mixed).length > 0]));
await host.close();
`;

describe.each([
  ["6", resolve("test/consumers")],
  ["7", resolve("test/consumers/sdks")],
])("a program that uses version %s of the AI SDK", (_, folder) => {
  test(
    "compiles and passes tools to generateText, streamText and ToolLoopAgent",
    async () => {
      await using sandbox = await createSandbox();
      // Node and TypeScript resolve packages from the folders above the file.
      const project = mkdtempSync(join(folder, ".examples-"));
      try {
        mkdirSync(join(project, "src"));
        writeFileSync(join(project, "src", "agent.mts"), PROGRAM);
        writeFileSync(join(project, "tsconfig.json"), JSON.stringify(CONFIG));
        const tsc = resolve("node_modules/typescript/bin/tsc");
        const compiled = await run(process.execPath, [tsc, "-p", project]).catch((error: unknown) => error);
        expect(compiled).toMatchObject({ stdout: "" });
        const image = calling("image");
        await using server = await startModel(
          Array.from({ length: 3 }, () => [image, { text: "done" }]).flat(),
        );
        const { stdout, stderr } = await run(
          process.execPath,
          [join(project, "agent.mjs"), server.url, JSON.stringify(stdioServer("tools-server.mjs"))],
          { cwd: sandbox.project, env: sandbox.env() },
        );
        expect({ said: JSON.parse(stdout) as unknown, stderr, refused: server.refused }).toEqual({
          said: ["done", "done", "done", true],
          stderr: "",
          refused: [],
        });
        expect(server.results()).toEqual([
          [{ type: "text", text: PICTURE }, expect.objectContaining({ type: "image" })],
        ]);
      } finally {
        rmSync(project, { recursive: true, force: true });
      }
    },
    LONG_MS,
  );
});

const CONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true, // the SDK's declarations need those of packages that it does not install
    rootDir: "src",
    outDir: ".",
  },
  files: ["src/agent.mts"],
};
