/**
 * `npm run fuzz`: tries a million inputs for each parser of untrusted text; `npm test` tries a few thousand.
 * `npm run fuzz -- --inputs 50000 --seed 7 --target JSON` selects others. If an input is read incorrectly, prints the
 * smallest such input and exits with 1.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    target: { type: "string" },
  },
});
console.log(`${values.inputs} inputs each, seed ${values.seed}`);
const root = fileURLToPath(new URL("../", import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--reporter=verbose", "test/fuzz"],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PLUGBOARD_SKIP_BUILD: "1", // these tests do not use the build
      FUZZ_INPUTS: values.inputs,
      FUZZ_SEED: values.seed,
      ...(values.target !== undefined && { FUZZ_TARGET: values.target }),
    },
  },
);
process.exitCode = status ?? 1;
