import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startModel } from "../adapters/model-server.ts";
import { mastraNode } from "../consumers/mastra/node.ts";
import { startCollector } from "../support/otlp-collector.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer } from "../support/test-servers.ts";
import { startTokenServer } from "../support/token-server.ts";

const run = promisify(execFile);

async function runExample(
  file: string,
  sandbox: Sandbox,
  {
    args = [],
    env = {},
    input = "",
    folder = resolve("examples"),
    node = process.execPath,
  }: {
    args?: string[];
    env?: Record<string, string>;
    input?: string;
    folder?: string;
    node?: string | undefined;
  } = {},
): Promise<string> {
  const example = join(folder, file);
  const running = run(node, [example, ...args], {
    cwd: sandbox.project,
    env: { ...sandbox.env(), ...env },
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

test("the README example lists tools and reads a file", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { files: realServer("filesystem", sandbox.project) },
  });
  await sandbox.writeProject("README.md", "# A project\n");
  const output = await runExample("call-a-tool.mjs", sandbox);
  expect(output).toContain("mcp_files_read_text_file - ");
  expect(output.trimEnd().endsWith("# A project")).toBe(true);
});

test("gateway.mjs serves the servers over HTTP", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { files: realServer("filesystem", sandbox.project) },
  });
  expect(await runExample("gateway.mjs", sandbox)).toBe("{ jsonrpc: '2.0', id: 1, result: {} }\n");
});

test("typed-calls.mjs prints the structured content of a result", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { files: realServer("filesystem", sandbox.project) },
  });
  await sandbox.writeProject("README.md", "# A project\n");
  expect(await runExample("typed-calls.mjs", sandbox)).toBe("# A project\n\n");
});

test("own-servers.mjs calls a tool of a server that the program defines", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  expect(await runExample("own-servers.mjs", sandbox)).toBe("noon in UTC\n");
});

function writeClockServer(sandbox: Sandbox): Promise<unknown> {
  return writeServer(sandbox, "clock", 'now: { run: () => "noon in " + process.env.ZONE }');
}

/** Writes `<name>-server.mjs` with these scripted tools into the project. */
function writeServer(sandbox: Sandbox, name: string, tools: string): Promise<unknown> {
  const kit = pathToFileURL(resolve("dist/testing/index.js")).href;
  return sandbox.writeProject(
    `${name}-server.mjs`,
    `import { serveLines } from ${JSON.stringify(kit)};
     const script = { name: "${name}", version: "1", tools: { ${tools} } };
     await serveLines(script, process.stdin, process.stdout);`,
  );
}

test("web-server.mjs answers requests with tools, and stops after the last one", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  const { child, ended, said } = startExample("web-server.mjs", sandbox);
  const url = await said(/^Listening on (\S+)$/m);
  const [answer, unknown] = await Promise.all([fetch(`${url}/clock/now`), fetch(`${url}/clock/none`)]);
  expect([answer.status, await answer.text()]).toEqual([200, "noon in UTC\n"]);
  expect([unknown.status, await unknown.text()]).toEqual([502, 'Server "clock" has no tool "none".\n']);
  child.kill("SIGTERM");
  expect(await ended).toBe(`Listening on ${url}\n`);
});

test("signals.mjs ends its server and itself on SIGTERM", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  const { child, ended, said } = startExample("signals.mjs", sandbox);
  await said(/^(noon in UTC)$/m);
  child.kill("SIGTERM");
  expect(await ended).toMatch(/\nEnded by SIGTERM\n$/);
});

test("worker-thread.mjs calls a tool in a worker thread", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  const lines = (await runExample("worker-thread.mjs", sandbox)).trimEnd().split("\n");
  expect(lines).toEqual(expect.arrayContaining(["clock is connected", "noon in UTC"]));
});

test("bundle.mjs creates a bundle that runs without node_modules", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  const output = await runExample("bundle.mjs", sandbox);
  expect(output).toContain("Run it with: node bundle/own-servers.js");
  expect(await runExample("own-servers.js", sandbox, { folder: join(sandbox.project, "bundle") })).toBe(
    "noon in UTC\n",
  );
});

/** Starts an example that runs until it gets a signal. */
function startExample(file: string, sandbox: Sandbox) {
  const running = run(process.execPath, [join(resolve("examples"), file)], {
    cwd: sandbox.project,
    env: sandbox.env(),
  });
  const { child } = running;
  let output = "";
  child.stdout?.on("data", (text) => {
    output += String(text);
  });
  return {
    child,
    ended: running.then(({ stdout }) => stdout),
    said: (pattern: RegExp) =>
      vi.waitFor(
        () => {
          const found = pattern.exec(output)?.[1];
          if (found === undefined) throw new Error(`no ${pattern} in: ${output}`);
          return found;
        },
        { timeout: 20_000 },
      ),
  };
}

test("middleware.mjs changes results, and refuses calls that exceed a limit", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  expect(await runExample("middleware.mjs", sandbox)).toBe(
    [
      "clock now ok 11",
      "NOON IN UTC",
      "clock now ok 11",
      "NOON IN UTC",
      "clock now failed 0",
      "The budget is used up.",
      "",
    ].join("\n"),
  );
});

test("artifacts.mjs saves an image itself", async () => {
  await using sandbox = await createSandbox();
  const image = '{ type: "image", mimeType: "image/png", data: "AAAA" }';
  await writeServer(sandbox, "camera", `take_picture: { run: () => ({ content: [${image}] }) }`);
  expect(await runExample("artifacts.mjs", sandbox)).toBe(
    "[image: image/png, 3 bytes, saved as file-1]\nfile-1: image/png, 3 bytes\n",
  );
});

test("log.mjs logs the server's start and end with pino", async () => {
  await using sandbox = await createSandbox();
  await writeClockServer(sandbox);
  const lines = (await runExample("log.mjs", sandbox)).trimEnd().split("\n");
  const events = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(events).toEqual(["discovery.finished", "server.connecting", "server.connected", "server.stopped"]);
});

test("tracing.mjs sends one trace over OTLP, without arguments and values", async () => {
  await using sandbox = await createSandbox();
  await using collector = await startCollector();
  await writeClockServer(sandbox);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  expect(await runExample("tracing.mjs", sandbox, { env })).toBe("noon in UTC\n");
  const { spans } = collector;
  const question = spans.find(({ name }) => name === "answer a question");
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([question?.traceId]));
  const below = spans.filter(({ parentSpanId }) => parentSpanId === question?.spanId);
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["connect clock", "tools/list", "tools/call now"]),
  );
  expect(JSON.stringify(spans)).not.toMatch(/UTC|clock-server\.mjs/);
});

test("in-process-server.mjs calls a tool of a server object", async () => {
  await using sandbox = await createSandbox();
  expect(await runExample("in-process-server.mjs", sandbox)).toBe("Added: Buy milk\n");
});

test("own-functions.mjs offers a function as a tool", async () => {
  await using sandbox = await createSandbox();
  expect(await runExample("own-functions.mjs", sandbox)).toBe(
    "send_mail: ask\nSent 5 characters to ada@example.com\n",
  );
});

test("slow-servers.mjs lists the known tools and the missing servers, and limits a call", async () => {
  await using sandbox = await createSandbox();
  const kit = pathToFileURL(resolve("dist/testing/index.js")).href;
  const clock = await sandbox.writeHome(
    "clock-server.mjs",
    `import { serveLines } from ${JSON.stringify(kit)};
     const now = { run: () => new Promise(() => {}) };
     await serveLines({ name: "clock", version: "1", tools: { now } }, process.stdin, process.stdout);`,
  );
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: {
      clock: { command: process.execPath, args: [clock] },
      missing: { command: "there-is-no-such-program" },
    },
  });
  expect(await runExample("slow-servers.mjs", sandbox)).toBe(
    [
      "mcp_clock_now",
      "missing: CONNECT_COMMAND_NOT_FOUND",
      'The call to "clock" was not finished within 500 ms.',
      "",
    ].join("\n"),
  );
});

test("scripted-server.mjs runs without a network", async () => {
  await using sandbox = await createSandbox();
  expect(await runExample("scripted-server.mjs", sandbox)).toBe(
    "mcp_weather_forecast → It will rain in Bergen.\n",
  );
});

test("several-users.mjs calls a server with each user's own token", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTokenServer();
  expect(await runExample("several-users.mjs", sandbox, { env: { CRM_URL: server.url } })).toBe(
    "alice: token-alice-1\nbob: token-bob-1\n",
  );
});

test("answer-a-server.mjs answers a server's form", async () => {
  await using sandbox = await createSandbox();
  const server = pathToFileURL(resolve("test/servers/asking-server.mjs")).href;
  await sandbox.writeProject("asking-server.mjs", `await import(${JSON.stringify(server)});`);
  expect(await runExample("answer-a-server.mjs", sandbox)).toBe(
    [
      "asking asks: Who are you?",
      "  name (text, required)",
      "  age (integer)",
      "  colour (choice)",
      "  sizes (choices)",
      '{"name":"Ann","age":30,"colour":"green"}',
      "",
    ].join("\n"),
  );
});

test("ask-a-person.mjs starts a project's server if the user approves it, and nothing otherwise", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", {
    mcpServers: { notes: { command: process.execPath, args: [resolve("examples/own-server.mjs")] } },
  });
  await expect(runExample("ask-a-person.mjs", sandbox, { input: "n\n" })).rejects.toThrow(
    "INTERACTION_REQUIRED",
  );
  expect(await runExample("ask-a-person.mjs", sandbox, { input: "y\n" })).toMatch(
    /^Allow notes from .*\.mcp\.json to run \{.*\}\? \[y\/N\] Tea: four minutes at 90 °C\.\n$/,
  );
});

test("own-server.test.mjs tests own-server.mjs", async () => {
  await using sandbox = await createSandbox();
  const { stdout } = await run(process.execPath, ["--test-reporter=tap", "--test", "own-server.test.mjs"], {
    cwd: resolve("examples"),
    env: sandbox.env(),
  });
  expect(stdout).toMatch(/^# pass 2$[\s\S]*^# fail 0$/m);
});

describe("the examples with a model", () => {
  // Node resolves the SDKs from the folders above the file.
  const [besideSdks = "", besideMastra = ""] = ["sdks", "mastra"].map((consumer) => {
    const folder = mkdtempSync(resolve(`test/consumers/${consumer}/.examples-`));
    cpSync(resolve("examples"), folder, { recursive: true });
    return folder;
  });
  afterAll(() => {
    for (const folder of [besideSdks, besideMastra]) rmSync(folder, { recursive: true, force: true });
  });
  /** Claude adds the server's name. */
  const NAMES: Readonly<Record<string, string>> = {
    "claude-agent.mjs": "mcp__plugboard__mcp_files_read_text_file",
  };

  test("recorded.test.mjs records, and then passes without its server", async () => {
    await using sandbox = await createSandbox();
    const args = ["--test-reporter=tap", "--test", "recorded.test.mjs"];
    const testing = { cwd: besideSdks, env: sandbox.env() };
    await expect(run(process.execPath, args, testing)).rejects.toThrow(/./);
    const recording = { ...testing, env: { ...sandbox.env(), PLUGBOARD_RECORD: "1" } };
    expect((await run(process.execPath, args, recording)).stdout).toMatch(/^# pass 1$/m);
    rmSync(join(besideSdks, "own-server.mjs"));
    expect((await run(process.execPath, args, testing)).stdout).toMatch(/^# pass 1$[\s\S]*^# fail 0$/m);
  });

  const inSandbox = async (use: (sandbox: Sandbox) => Promise<void>): Promise<void> => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { files: realServer("filesystem", sandbox.project) },
    });
    await sandbox.writeProject("README.md", "# A project\n");
    await use(sandbox);
  };

  test.each([
    "ai-sdk.mjs",
    "openai-responses.mjs",
    "openai-chat.mjs",
    "openai-agents.mjs",
    "anthropic.mjs",
    "anthropic-runner.mjs",
    "claude-agent.mjs",
    "google.mjs",
    "mastra.mjs",
  ])("%s reads a file and prints the model's response", (file) =>
    inSandbox(async (sandbox) => {
      await using server = await startModel([
        { calls: [{ name: NAMES[file] ?? "mcp_files_read_text_file", args: { path: "README.md" } }] },
        { text: "It is a project." },
      ]);
      const env = {
        OPENAI_API_KEY: "test",
        OPENAI_BASE_URL: `${server.url}/v1`,
        OPENAI_AGENTS_DISABLE_TRACING: "1",
        ANTHROPIC_API_KEY: "test",
        ANTHROPIC_BASE_URL: server.url,
        GEMINI_API_KEY: "test",
        GOOGLE_GEMINI_BASE_URL: server.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
      const args = ["What is in README.md?"];
      const place =
        file === "mastra.mjs" ? { folder: besideMastra, node: mastraNode } : { folder: besideSdks };
      const output = await runExample(file, sandbox, { args, env, ...place });
      expect({ output, refused: server.refused }).toEqual({ output: "It is a project.\n", refused: [] });
      expect(JSON.stringify(server.results())).toContain("# A project");
    }),
  );

  test("many-tools.mjs finds a tool and calls it", () =>
    inSandbox(async (sandbox) => {
      expect(await runExample("many-tools.mjs", sandbox)).toBe(
        "mcp_search_tools, mcp_describe_tool, mcp_call_tool\nmcp_files_read_file\n# A project\n\n",
      );
    }));

  test("langchain.mjs calls a tool as a model would", () =>
    inSandbox(async (sandbox) => {
      expect(await runExample("langchain.mjs", sandbox)).toBe("# A project\n files\n");
    }));
});
