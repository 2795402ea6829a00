/**
 * Measures each step for ten thousand tools, in its own process. Prints numbers as JSON.
 * Arguments: the bundled `bridge` module, the search index and the policy check, which the package does not export.
 */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { manyTools } from "./many-tools.mjs";

const [bridgeFile, searchFile, policyFile] = process.argv.slice(2);
const { quarantineReason, ToolNames, toAgentTools } = await import(pathToFileURL(bridgeFile).href);
const { SearchIndex } = await import(pathToFileURL(searchFile).href);
const { decideName, decideTool } = await import(pathToFileURL(policyFile).href);
const { createHost } = await import("../dist/index.js");
const { aiSdkTools } = await import("../dist/adapters/ai-sdk/index.js");

const OURS = { tool: "bench", scope: "user", tier: "user", file: "bench" };
const text = JSON.stringify(manyTools(10_000));
const parse = timed(() => JSON.parse(text));
const bridge = timed(() => {
  const names = new ToolNames("seeds");
  const tools = parse.result.filter((tool) => quarantineReason(tool) === undefined);
  names.assign(tools.map(({ name }) => ({ server: "many", tool: name })));
  return toAgentTools([{ server: "many", source: OURS, tools, stale: false }], { names, invoke: () => {} });
});
const index = timed(() => new SearchIndex(bridge.result));
const questions = [
  "look up a path",
  "find a folder",
  "lok somthing up",
  "tool number 7 look up abc",
  "zzz",
  "read a file",
];
const searches = Array.from({ length: 60 }, (_, at) =>
  timed(() => index.result.search(questions[at % questions.length], 8)),
);
const { callMicros, adapterMicros } = await measureCalls();
process.stdout.write(
  `${JSON.stringify({
    parseMs: parse.ms,
    bridgeMs: bridge.ms,
    indexMs: index.ms,
    searchMs: middle(searches.map(({ ms }) => ms)),
    slowestMs: Math.max(...searches.map(({ ms }) => ms)),
    callMicros,
    adapterMicros,
    policyMicros: measureGate(parse.result[0]),
  })}\n`,
);

/** The policy checks of every call: by name before connecting, and again with the definition. */
function measureGate(tool) {
  const rules = {
    trust: "untrusted",
    allowTools: ["read_*", "search", "look_up_*"],
    denyTools: ["delete_*", "*_secret"],
    approval: [
      { pattern: "*", answer: "ask" },
      { pattern: "look_up_*", answer: "allow" },
    ],
  };
  const server = { name: "many", launch: {}, enabled: true, problems: [], provenance: OURS, rules };
  const inventory = { approvals: [] };
  const workspace = { inventory: () => inventory, trustProject: false };
  const ask = () => {
    decideName(workspace, server, tool.name);
    return decideTool(workspace, server, tool, { held: () => undefined });
  };
  if (ask().answer !== "allow") throw new Error(`the policy check returned ${ask().answer}`);
  for (let turn = 0; turn < 2_000; turn++) ask();
  const turns = 20_000;
  const { ms } = timed(() => {
    for (let turn = 0; turn < turns; turn++) ask();
  });
  return (ms * 1_000) / turns;
}

/** Alternates between both, so that other work on the machine affects both equally. */
async function measureCalls() {
  const tiny = fileURLToPath(new URL("servers/tiny.mjs", import.meta.url));
  const servers = { tiny: { command: process.execPath, args: [tiny] } };
  const env = { ...process.env, PLUGBOARD_HOME: join(process.env.HOME, "state") };
  const host = await createHost({ discover: false, servers, env });
  try {
    const { mcp_tiny_echo: echo } = (await aiSdkTools(host.session())).tools;
    const ways = {
      callMicros: () => host.call("tiny", "echo", { text: "x" }),
      adapterMicros: () => lastOf(echo.execute({ text: "x" }, { toolCallId: "1" })),
    };
    const micros = { callMicros: [], adapterMicros: [] };
    for (let turn = 0; turn < 1_500; turn++) {
      for (const [way, call] of Object.entries(ways)) {
        const start = performance.now();
        const { text } = await call();
        if (text !== "x") throw new Error(`${way}: ${text}`);
        if (turn >= 500) micros[way].push((performance.now() - start) * 1_000);
      }
    }
    return { callMicros: middle(micros.callMicros), adapterMicros: middle(micros.adapterMicros) };
  } finally {
    await host.close();
  }
}

async function lastOf(outputs) {
  let last;
  for await (const output of outputs) last = output;
  return last;
}

function timed(action) {
  const start = performance.now();
  const result = action();
  return { ms: performance.now() - start, result };
}

function middle(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
