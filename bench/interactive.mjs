/** Part `interactive`: the time until the prompt appears, and until each key is shown. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, percentile, reportOf, summarize } from "./measure.mjs";
import { startOnTerminal } from "./on-terminal.mjs";
import { digits, spread, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const plugboard = fileURLToPath(new URL("../dist/surfaces/cli/main.cjs", import.meta.url));
const server = (name) => fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
const keyWork = fileURLToPath(new URL("key-work.cjs", import.meta.url));
const prompt = "Type a message, or /help for help";
const keyEveryMs = 40;
const keysPerLine = 50;
/** The minimum for a terminal program: writes the input line again after each key. */
const echo = `process.stdin.setRawMode(true); let line = "";
process.stdout.write("ready");
process.stdin.on("data", (bytes) => {
  const text = String(bytes);
  if (text.includes("\\u0004")) process.exit();
  line = (line + text).replace(/.*\\u0015/, "");
  process.stdout.write("\\r› " + line + "\\u001b[K");
});`;

/** Measures the first prompt with twenty servers, five of them slow, and keys while ten servers send messages. */
export async function measureInteractive({ rounds, isQuick, announce }) {
  const slow = homeWith(20, (index) => (index < 5 ? [server("tiny"), "--slow", "60000"] : [server("tiny")]));
  const loud = homeWith(10, () => [server("chatty")]);
  const none = homeWith(0);
  const keys = isQuick ? 100 : 200;
  const starting = (home) => async () => {
    const program = startOnTerminal([plugboard], home);
    const paintedMs = await program.seen(prompt);
    program.type("x");
    const promptMs = paintedMs + (await program.seen("› x"));
    await program.leave();
    return { promptMs };
  };
  const contestants = [
    { id: "bare", label: "`node -e 0`", sample: () => bareNode(none) },
    { id: "none", label: "**first prompt**, no servers", sample: starting(none) },
    { id: "twenty", label: "**first prompt**, 20 servers, five of them slow", sample: starting(slow) },
    {
      id: "echo",
      label: "a key: hand-written echo",
      sample: () => typeInto(["-e", echo], none, "ready", keys),
    },
    { id: "quiet", label: "**a key**, no servers", sample: () => typeInto([plugboard], none, prompt, keys) },
    {
      id: "loud",
      label: "**a key**, ten servers stream logs and progress",
      sample: () => typeInto([plugboard], loud, "10 connected", keys),
    },
  ];
  try {
    const results = await measureInRounds(contestants, rounds, announce);
    return describe(contestants, results);
  } finally {
    for (const home of [slow, loud, none]) home.remove();
  }
}

function homeWith(count, wordsOf) {
  const home = emptyHome();
  const cwd = join(home.folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(home.folder, ".plugboard"));
  const entries = Array.from({ length: count }, (_, index) => [
    `server-${index}`,
    { command: process.execPath, args: wordsOf(index) },
  ]);
  const mcpServers = Object.fromEntries(entries);
  writeFileSync(join(home.folder, ".plugboard", "mcp.json"), JSON.stringify({ mcpServers }));
  return { cwd, env: home.env, folder: home.folder, remove: home.remove };
}

async function bareNode(home) {
  const program = startOnTerminal(["-e", "0"], home);
  const { ms } = await program.ended;
  return { promptMs: ms };
}

/** Types one key after the other at the speed of a fast typist. Each must be shown before the next. */
async function typeInto(args, home, ready, keys) {
  const file = join(home.folder, "key-work");
  rmSync(file, { force: true });
  const env = { ...home.env, KEY_WORK_FILE: file };
  const program = startOnTerminal(["--require", keyWork, ...args], { cwd: home.cwd, env });
  try {
    await program.seen(ready);
    await delay(500); // wait for the messages at the start
    const seen = [];
    let line = "";
    for (let key = 0; key < keys; key++) {
      if (line.length === keysPerLine) {
        program.type("\u0015");
        line = "";
        await delay(keyEveryMs);
      }
      const letter = String.fromCharCode(97 + (key % 26));
      line += letter;
      const waiting = program.seen(`› ${line}`);
      program.type(letter);
      seen.push(await waiting);
      await delay(keyEveryMs * (0.5 + Math.random())); // avoids synchronising with timers
    }
    const sorted = seen.sort((a, b) => a - b);
    const work = readWork(file);
    return {
      seenP50: percentile(sorted, 0.5),
      seenP99: percentile(sorted, 0.99),
      workP50: percentile(work, 0.5),
      workP99: percentile(work, 0.99),
    };
  } finally {
    await program.leave();
  }
}

function readWork(file) {
  try {
    const numbers = readFileSync(file, "utf8").trim().split("\n").map(Number);
    return numbers.sort((a, b) => a - b);
  } catch {
    return [Number.NaN]; // the hand-written program records no work
  }
}

function describe(contestants, results) {
  const median = (id, number) => summarize(results.get(id), number)?.median;
  const known = (value) => (value === undefined || Number.isNaN(value) ? "" : digits(value));
  const bare = median("bare", "promptMs");
  return {
    name: "interactive",
    title: "Interactive mode, on a terminal",
    head: [
      "",
      "median ms",
      "middle half",
      "vs bare node",
      "on screen p50, ms",
      "p99, ms",
      "vs hand-written",
      "work p50, ms",
      "p99, ms",
      "goal",
    ],
    rows: contestants
      .filter(({ id }) => results.get(id).failure === undefined)
      .map(({ id, label }) => {
        const isStart = median(id, "promptMs") !== undefined && !Number.isNaN(median(id, "promptMs"));
        const start = summarize(results.get(id), "promptMs");
        return [
          label,
          isStart ? digits(start.median) : "",
          isStart ? spread(start) : "",
          isStart ? times(start.median, bare) : "",
          ...["seenP50", "seenP99"].map((number) => known(median(id, number))),
          isStart ? "" : times(median(id, "seenP99"), median("echo", "seenP99")),
          ...["workP50", "workP99"].map((number) => known(median(id, number))),
          judge(id, median),
        ];
      }),
    notes: [
      "First prompt: from the start of the process until the prompt and a typed letter are shown. Slow servers do not respond for a minute.",
      "A key: from writing it to the terminal until the line with it is shown, at 25 keys a second. Work: the CPU time for it, including rendering.",
    ],
    ...reportOf(contestants, results),
  };
}

function judge(id, median) {
  if (id === "twenty") {
    const [own, bare] = [median(id, "promptMs"), median("bare", "promptMs")];
    return own === undefined || bare === undefined
      ? ""
      : atMost(goals.promptTimesBareNode, "× bare node", own / bare);
  }
  if (id !== "loud") return "";
  return [
    atMost(goals.keyWorkMs, "ms of work", median(id, "workP99")),
    atMost(goals.keySeenMs, "ms on screen at p99", median(id, "seenP99")),
  ].join(", ");
}
