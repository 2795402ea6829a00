/**
 * `npm run walk [-- <walk> …]`: runs real operations and prints the modules that each one passes, in order, with the time spent. The
 * walks are in `test/walks/scenarios.ts`. `npm run walk -- call <server> <tool> [key=value …]` calls a tool of your own servers.
 * `--json` prints the steps for programs.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createViteServer } from "vitest/node";
import { instrument } from "./walk/instrument.mjs";
import { createRecorder } from "./walk/recorder.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});

const recorder = createRecorder();
globalThis.walk = recorder.walk;
const server = await createViteServer({
  root,
  configFile: false,
  plugins: [instrument(root)],
  server: { middlewareMode: true, ws: false, watch: null },
  oxc: { target: "node20.19" },
  logLevel: "error",
});
try {
  const { SCENARIOS, callOwn } = await server.ssrLoadModule("/test/walks/scenarios.ts");
  const [name, ...words] = positionals;
  const walks =
    name === "call" && words.length > 0
      ? { [`call ${words.join(" ")}`]: (record) => callOwn(words, record) }
      : Object.fromEntries(Object.entries(SCENARIOS).filter(([key]) => name === undefined || key === name));
  if (Object.keys(walks).length === 0) {
    console.error(`Unknown walk: ${name}. Walks: ${Object.keys(SCENARIOS).join(", ")}`);
    process.exitCode = 2;
  }
  const all = {};
  for (const [key, scenario] of Object.entries(walks)) {
    all[key] = [];
    await scenario(async (work, between) => {
      all[key] = await recorder.record(work, between);
    });
    if (!values.json) print(key, all[key]);
  }
  if (values.json) console.log(JSON.stringify(all));
} finally {
  await server.close();
}
process.exit();

/** Steps that repeat their predecessor are printed once, with their number. */
function print(name, steps) {
  console.log(`\n${name}`);
  for (let at = 0; at < steps.length; ) {
    const { module, file, depth, reenters, from } = steps[at];
    let count = 1;
    let ms = steps[at].ms;
    while (steps[at + count]?.file === file && steps[at + count].depth === depth) {
      ms += steps[at + count].ms;
      count += 1;
    }
    const times = count === 1 ? "" : ` × ${count}`;
    const again = reenters ? `   re-entered from ${from}` : "";
    console.log(
      `${ms.toFixed(1).padStart(9)} ms  ${"  ".repeat(depth)}${module}  ${file.slice(4)}${times}${again}`,
    );
    at += count;
  }
}
