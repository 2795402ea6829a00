/**
 * A hand-written legacy stdio server (2025-06-18) that can misbehave, with the tools `echo` and `pid`. Arguments:
 * --behave a,b,c with names from BEHAVIOURS below, which describes each.
 * PID_FILE in the environment: where `grandchild` writes {"pid","grandchild"}.
 */
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

const BEHAVIOURS = {
  hang: "sends no response",
  exit: "prints an error on stderr and exits with 3 immediately",
  "exit-after-init": "exits with 4 once initialized",
  "crash-on-call": "exits with 5 while it sends the response to tools/call",
  noise: "prints lines that are not JSON before every message",
  "bad-tool": "lists a tool without a name among valid ones",
  "hang-list": "never answers tools/list, and answers everything else",
  pages: "lists its tools on three pages",
  "endless-pages": "every page of tools has a next one",
  "same-cursor": "every page of tools names the same next one",
  "ignore-sigterm": "ignores the end of its input and SIGTERM",
  grandchild: "leaves a child process in its group when it ends",
  "list-changed": "a call of `grow` adds a tool and announces it",
  "evil-text": "control, bidi and zero-width characters in every text",
  "slow-start": "sends no response in the first 500 ms",
  "strict-init": "exits with 6 if the first request is not initialize",
  "slow-prompt": "offers a prompt, never returns it, and writes its cancellation to CANCEL_FILE",
  "ignore-discover": "leaves unknown methods such as server/discover unanswered",
};
/** No process of this file may outlive a test run. */
const LONGEST_LIFE_MS = 60_000;
const VERSIONS = ["2025-06-18", "2025-03-26", "2024-11-05"];
const EVIL =
  "\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u202Eesrever\u202C zero\u200Bwidth\u2066\u0000end\u009b2J";

const { behave } = parseArgs({ options: { behave: { type: "string", default: "" } } }).values;
const behaviours = new Set(behave.split(",").filter(Boolean));
for (const name of behaviours) if (!(name in BEHAVIOURS)) throw new Error(`unknown behaviour ${name}`);
const does = (name) => behaviours.has(name);

if (does("exit")) end(3, "boom: missing API_KEY");
if (does("grandchild")) startGrandchild();
if (does("ignore-sigterm")) process.on("SIGTERM", () => {});
const lifetime = setTimeout(() => process.exit(9), LONGEST_LIFE_MS);
if (!does("ignore-sigterm")) lifetime.unref();

const stringArgument = (name, description) => ({
  type: "object",
  properties: { [name]: { type: "string", description } },
  required: [name],
});
const tools = [
  { name: "echo", description: "Answers its text", inputSchema: stringArgument("text", "What to answer") },
  tool("pid", "Answers the process id"),
];
if (does("bad-tool")) tools.splice(1, 0, { description: "has no name", inputSchema: { type: "object" } });
if (does("list-changed")) tools.push(tool("grow", "Adds a tool"));
if (does("evil-text")) {
  tools.push({ ...tool("evil", EVIL), title: EVIL, inputSchema: stringArgument("text", EVIL) });
  tools.push(tool(`evil_${EVIL}`, EVIL), tool("evil_error", `Answers an error that says ${EVIL}`));
}

const ready = does("slow-start") ? delay(500) : undefined;
process.stdout.on("error", () => {}); // the client may exit first
if (does("noise")) process.stdout.write("Server starting up...\n");
createInterface({ input: process.stdin }).on("line", (line) => void receive(line));
process.stdin.on("end", () => does("ignore-sigterm") || process.exit(0));

let initialized = false;

async function receive(line) {
  await ready;
  if (does("hang")) return;
  const { id, method, params } = JSON.parse(line);
  if (does("strict-init") && !initialized && method !== "initialize") end(6, "boom: expected initialize");
  initialized ||= method === "initialize";
  if (method === "notifications/initialized" && does("exit-after-init"))
    end(4, "boom: gone after initialize");
  if (does("slow-prompt") && PROMPT_NEWS[method]) writeFileSync(process.env.CANCEL_FILE, PROMPT_NEWS[method]);
  if (
    id === undefined ||
    (does("slow-prompt") && method === "prompts/get") ||
    (method === "tools/list" && does("hang-list"))
  )
    return;
  const answer = METHODS[method];
  if (answer !== undefined) send({ id, ...answer(params ?? {}, id) });
  else if (!does("ignore-discover")) send({ id, ...failure(-32601, `Method not found: ${method}`) });
}

const PROMPT_NEWS = { "prompts/get": "asked", "notifications/cancelled": "cancelled" };

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    result: {
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
      capabilities: {
        tools: { listChanged: does("list-changed") },
        ...(does("slow-prompt") && { prompts: {} }),
      },
      serverInfo: { name: does("evil-text") ? `raw ${EVIL}` : "raw", version: "0.0.1" },
      ...(does("evil-text") && { instructions: EVIL }),
    },
  }),
  ping: () => ({ result: {} }),
  "prompts/list": () => ({ result: { prompts: [{ name: "greet" }] } }),
  "tools/list": ({ cursor }) => ({ result: page(cursor) }),
  "tools/call": ({ name, arguments: args }, id) => {
    if (does("crash-on-call")) {
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[`);
      end(5, "boom: crashed in a call");
    }
    return call(name, args ?? {});
  },
};

function page(cursor) {
  const number = cursor === undefined ? 1 : Number(cursor.replace("page-", ""));
  if (does("same-cursor")) return { tools, nextCursor: "page-2" };
  const listed = number === 1 ? tools : [tool(`on_page_${number}`, `Stands on page ${number}`)];
  const hasNext = does("endless-pages") || (does("pages") && number < 3);
  return { tools: listed, ...(hasNext && { nextCursor: `page-${number + 1}` }) };
}

function call(name, args) {
  if (name === "echo") return text(String(args.text));
  if (name === "pid") return text(String(process.pid));
  if (name === "grow" && does("list-changed")) return grow();
  if (name === "evil_error" && does("evil-text")) return failure(-32000, EVIL);
  if (name?.startsWith("evil") && does("evil-text")) return text(EVIL);
  if (/^(on_page|grown)_/u.test(name)) return text(name);
  return failure(-32602, `Unknown tool: ${name}`);
}

function grow() {
  const name = `grown_${tools.filter((known) => known.name?.startsWith("grown_")).length + 1}`;
  tools.push(tool(name, "Was not there before"));
  send({ method: "notifications/tools/list_changed" });
  return text(name);
}

/** It keeps the server's output open and, as with npx and shells, the host must end it. */
function startGrandchild() {
  const ignore = does("ignore-sigterm") ? `process.on("SIGTERM", () => {});` : "";
  const program = `${ignore} setTimeout(() => {}, ${LONGEST_LIFE_MS})`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "inherit", "inherit"] });
  child.unref();
  const { PID_FILE } = process.env;
  if (!PID_FILE) return;
  // Renamed into place, so that a waiting reader never sees a partial file.
  writeFileSync(`${PID_FILE}.${process.pid}`, JSON.stringify({ pid: process.pid, grandchild: child.pid }));
  renameSync(`${PID_FILE}.${process.pid}`, PID_FILE);
}

function send(message) {
  if (does("noise")) process.stdout.write("[info] this is not JSON\n\n{ neither is this }\n");
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function end(code, lastWords) {
  process.stderr.write(`${lastWords}\n`);
  process.exit(code);
}

function tool(name, description) {
  return { name, description, inputSchema: { type: "object", properties: {} } };
}

function text(value) {
  return { result: { content: [{ type: "text", text: value }] } };
}

function failure(code, message) {
  return { error: { code, message } };
}
