/** Part `warm-call`: a call of a server that needs a second to start, while a daemon keeps it running. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child-programs.mjs";
import { commandLines, nodeOfCommands } from "./command-programs.mjs";
import { atMost, belowAll, goals } from "./goals.mjs";
import { endProcessesOf } from "./left-running.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { describePeer } from "./peers.mjs";
import { digits, spread, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const SLOW_MS = 1_000;

export const warmCallPeers = ["mcporter", "inspector", "node"];

/** Measures whole processes. Each tool has its own home, whose daemon runs for the whole part. */
export async function measureWarmCalls({ rounds, unavailable, announce }) {
  const node = nodeOfCommands(unavailable);
  const contestants = contestantsOf(node, unavailable);
  try {
    const results = await measureInRounds(
      contestants.map((contestant) => ({ ...contestant, sample: () => runOnce(contestant) })),
      rounds,
      announce,
    );
    return describe(contestants, results);
  } finally {
    for (const { home } of contestants) {
      endProcessesOf(home.folder);
      home.remove();
    }
  }
}

function contestantsOf(node, unavailable) {
  const lines = commandLines(node);
  const program = fileURLToPath(new URL("servers/tiny.mjs", import.meta.url));
  const slow = { command: node, args: [program, "--slow", String(SLOW_MS)] };
  const call = (name, words) => ({ words: [...lines[name].start, ...words.split(" ")], expected: "hello" });
  const own = ".plugboard/mcp.json";
  const peer = (id) => ({
    isPeer: true,
    missing: unavailable.has(id) ? `${describePeer(id)}: ${unavailable.get(id)}` : undefined,
  });
  return [
    { id: "bare", label: "`node -e 0`", words: [node, "-e", "0"], expected: "" },
    {
      id: "plugboard",
      label: "**`plugboard call`**, with its daemon",
      ...call("plugboard", "call tiny echo text=hello"),
      before: [...lines.plugboard.start, "daemon", "start"],
      file: own,
      config: { mcpServers: { tiny: slow } },
    },
    {
      id: "cold",
      label: "**`plugboard call`**, without a daemon",
      ...call("plugboard", "call tiny echo text=hello"),
      file: own,
      config: { mcpServers: { tiny: slow } },
    },
    {
      id: "mcpdo",
      label: "`mcpdo`",
      ...peer("inspector"),
      ...call("mcpdo", "@tiny tools/call echo text:=hello"),
      before: [...lines.mcpdo.start, ...lines.mcpdo.before.split(" ")],
      file: lines.mcpdo.config.file,
      config: lines.mcpdo.config.of({ tiny: slow }),
    },
    {
      id: "mcporter",
      label: `\`mcporter call\`, with its daemon`,
      ...peer("mcporter"),
      ...call("mcporter", "call tiny.echo text=hello"),
      before: [...lines.mcporter.start, "daemon", "start"],
      file: lines.mcporter.config.file,
      config: lines.mcporter.config.of({ tiny: { ...slow, lifecycle: "keep-alive" } }),
    },
  ].map((contestant) => withHome(contestant));
}

function withHome({ file, config, ...contestant }) {
  const home = emptyHome();
  const project = join(home.folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  if (file !== undefined) {
    mkdirSync(dirname(join(home.folder, file)), { recursive: true });
    writeFileSync(join(home.folder, file), JSON.stringify(config));
  }
  return { ...contestant, home, options: { cwd: project, env: home.env }, isStarted: false };
}

/** The daemon and its server are started before the first sample, which does not count. */
async function runOnce(contestant) {
  const { words, before, options, expected, missing } = contestant;
  if (missing !== undefined) throw new Error(missing);
  if (!contestant.isStarted && before !== undefined) await runProgram(before, options);
  contestant.isStarted = true;
  const { ms, stdout } = await runProgram(words, options);
  if (!stdout.includes(expected)) throw new Error("the result is not in its output");
  return { ms };
}

function describe(contestants, results) {
  const ms = (id) => summarize(results.get(id), "ms");
  const measured = contestants.filter(({ id }) => results.get(id).failure === undefined);
  const peers = measured.filter(({ isPeer }) => isPeer).map(({ id }) => ms(id).median);
  const [bare, own] = [ms("bare")?.median, ms("plugboard")?.median];
  return {
    name: "warm-call",
    title: "A call while a daemon keeps the server running",
    head: ["program", "median ms", "middle half", "vs bare node", "goal"],
    rows: measured.map(({ id, label }) => [
      label,
      digits(ms(id).median),
      spread(ms(id)),
      times(ms(id).median, bare),
      id === "plugboard" && own !== undefined && bare !== undefined
        ? `${atMost(goals.warmCallTimesBareNode, "× bare node", own / bare)}, ${belowAll(own, peers)}`
        : "",
    ]),
    notes: [
      `Each run is a new process, timed from start to exit. The server needs ${SLOW_MS.toLocaleString("en-US")} ms to start. Daemons are started before, untimed.`,
      `\`mcpdo\` is ${describePeer("inspector")}, \`mcporter\` ${describePeer("mcporter")}.`,
    ],
    ...reportOf(contestants, results),
  };
}
