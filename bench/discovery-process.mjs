/** `node discovery-process.mjs parse|discover <project> <file…>`: repeats the task and prints the median in ms. */
import { readFileSync } from "node:fs";
import { percentile } from "./measure.mjs";

const REPETITIONS = 30;
const WARM_UP = 10;

const [task, cwd, ...files] = process.argv.slice(2);
const act = await (task === "parse" ? parseAll(files) : discoverAll(cwd, files.length));
const times = [];
for (let i = 0; i < REPETITIONS + WARM_UP; i++) {
  const start = performance.now();
  await act();
  if (i >= WARM_UP) times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
process.stdout.write(JSON.stringify({ ms: percentile(times, 0.5) }));

async function parseAll(paths) {
  const { parse: parseToml } = await import("smol-toml");
  const { parse: parseYaml } = await import("yaml");
  const parserOf = (path) =>
    path.endsWith(".toml") ? parseToml : path.endsWith(".yaml") ? parseYaml : JSON.parse;
  return async () => {
    for (const path of paths) parserOf(path)(readFileSync(path, "utf8"));
  };
}

async function discoverAll(folder, fileCount) {
  const { createHost } = await import("../dist/index.js");
  return async () => {
    const host = await createHost({ cwd: folder });
    const { length } = host.servers();
    await host.close();
    if (length !== 5 * fileCount) throw new Error(`found ${length} servers`); // a fast wrong result must not count
  };
}
