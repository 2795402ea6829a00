/**
 * Runs the first published servers without and with the default sandbox, and compares their tools, the result of one call and the time to
 * start. Prints a line per server as JSON. If a call fails in the sandbox only, one question is allowed: the one that the host asks, or
 * the proposal of `sandbox learn`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installedServer } from "./collect-tools.mjs";
import { emptyHome, removeScratch } from "./scratch.mjs";

/** The first twenty servers by id, with a call that needs no account. */
const CALLS = {
  airbnb: ["airbnb_search", { location: "Paris" }],
  "antv-chart": ["generate_bar_chart", { data: [{ category: "a", value: 1 }] }],
  attio: ["get-lists", {}],
  "baidu-map": ["map_geocode", { address: "Beijing" }],
  bitbucket: ["bb_get", { path: "/workspaces" }],
  brave: ["brave_web_search", { query: "plugboard" }],
  browserbase: ["browserbase_session_create", {}],
  devtools: ["list_pages", {}],
  "cloud-run": ["list_projects", {}],
  codacy: ["codacy_list_tools", {}],
  contentful: ["list_spaces", {}],
  convex: ["status", { projectDir: "{tmp}" }],
  datadog: ["list_dashboards", {}],
  discord: ["discord_get_server_info", { guildId: "1" }],
  drawio: ["list-documents", {}],
  elasticsearch: ["list_indices", { indexPattern: "*" }],
  everything: ["get-sum", { a: 2, b: 3 }],
  excalidraw: ["query_elements", {}],
  figma: ["get_figma_data", { fileKey: "abc" }],
  firecrawl: ["firecrawl_search", { query: "plugboard" }],
};
const STARTS = 3;
const { createHost } = await import("../dist/index.js");

const announce = (text) => process.stderr.write(`${text}\n`);
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CALLS))
  console.log(JSON.stringify(await compare(name)));
removeScratch();

async function compare(name) {
  const home = emptyHome();
  try {
    const project = join(home.folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    const fill = (text) => text.replaceAll("{tmp}", project);
    const launch = await installedServer(name, announce);
    announce(`comparing ${launch.package}`);
    const entry = {
      command: launch.node,
      args: [launch.program, ...launch.args.map(fill)],
      env: Object.fromEntries(Object.entries(launch.env).map(([key, text]) => [key, fill(text)])),
      startupTimeout: 120_000,
    };
    const [tool, given] = CALLS[name];
    const args = JSON.parse(fill(JSON.stringify(given)));
    const plain = await use(home, project, name, { ...entry, sandbox: false }, { tool, args });
    const sandboxed = await use(
      home,
      project,
      name,
      { ...entry, sandbox: true },
      { tool, args, expected: plain },
    );
    return {
      name,
      package: `${launch.package}@${launch.version}`,
      tools: plain.tools.length,
      sameTools: JSON.stringify(plain.tools) === JSON.stringify(sandboxed.tools),
      tool,
      sameResult: plain.result === sandboxed.result,
      questions: sandboxed.questions,
      sandbox: sandboxed.sandbox,
      result: [
        plain.result.slice(0, 200),
        ...(plain.result === sandboxed.result ? [] : [sandboxed.result.slice(0, 400)]),
      ],
      startMs: [plain.startMs, sandboxed.startMs],
    };
  } catch (error) {
    return { name, error: String(error.message).slice(0, 500) };
  } finally {
    home.remove();
  }
}

async function use(home, project, name, entry, { tool, args, expected }) {
  const file = join(home.folder, ".plugboard", "mcp.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: { [name]: entry } }));
  const questions = [];
  const open = () =>
    createHost({
      home: home.folder,
      cwd: project,
      env: home.env,
      onSandboxDenied: ({ denial, choice }) => {
        questions.push({ denial, sandbox: choice.sandbox });
        return questions.length === 1;
      },
    });
  let host = await open();
  try {
    const times = [];
    let tools = [];
    for (let at = 0; at < STARTS; at += 1) {
      const began = performance.now();
      tools = (await host.tools(name)).map(({ tool: each, inputSchema }) => [each, inputSchema]);
      await host.call(name, "plugboard-no-such-tool", {}).catch(() => {});
      times.push(performance.now() - began);
      await host.close();
      host = await open();
    }
    let result = await outcome(host, name, tool, args);
    if (expected !== undefined && result !== expected.result) {
      if (questions.length === 0) {
        const learned = await host.sandbox.learn(name, { call: { tool, args } });
        if (learned.choice !== undefined) {
          questions.push({ learned: learned.denials, sandbox: learned.choice.sandbox });
          await host.sandbox.choose(name, learned.choice);
        }
      }
      if (questions.length > 0) {
        await host.close();
        host = await open();
        result = await outcome(host, name, tool, args);
      }
    }
    return {
      tools,
      result,
      questions: questions.length,
      sandbox: questions.at(-1)?.sandbox,
      startMs: Math.min(...times),
    };
  } finally {
    await host.close();
  }
}

/** Returns the result or the error of a call, without times and generated ids. */
async function outcome(host, name, tool, args) {
  const text = await host.call(name, tool, args).then(
    (result) => `${result.isError ? "error" : "ok"}: ${result.text}`,
    (error) => `${error.code}: ${error.message}`,
  );
  return text
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.,]+Z?/g, "<time>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "<id>")
    .replace(/\d{10,}/g, "<number>")
    .replace(/\b\d+(?:\.\d+)? ?ms\b/g, "<time>");
}
