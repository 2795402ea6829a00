/** A worker process of `npm run mutate`: runs the related tests for one mutant after another. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest } from "vitest/node";

let active;
const root = process.cwd();

const vitest = await createVitest(
  "test",
  {
    config: false, // vitest.config.ts has projects; here, all tests share one process
    pool: "forks",
    watch: false,
    run: true,
    bail: 1,
    silent: true,
    reporters: [{}],
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    allowOnly: false,
    passWithNoTests: true,
    globalSetup: ["test/support/run-folder.ts"],
    setupFiles: ["scripts/mutate/setup.mjs", "test/support/isolate.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  {
    plugins: [
      {
        name: "mutate",
        enforce: "pre",
        load(id) {
          if (active === undefined || id.split("?")[0] !== resolve(root, active.file)) return undefined;
          const source = readFileSync(resolve(root, active.file), "utf8");
          return source.slice(0, active.start) + active.text + source.slice(active.end);
        },
      },
    ],
  },
);

process.on("message", (job) => {
  judge(job).then(
    (killedBy) => process.send({ killedBy }),
    (error) => process.send({ error: error.message }),
  );
});
// A mutant may loop forever in a child process, so the whole process group is killed at the end.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.send({ ready: true });

/** Returns the test that detected the mutant. Without a mutant, returns a failing test. */
async function judge({ mutant, stages }) {
  activate(mutant);
  try {
    for (const files of stages) {
      const killedBy = await firstFailure(files);
      if (killedBy !== undefined) return killedBy;
    }
    return undefined;
  } finally {
    activate(undefined);
  }
}

function activate(mutant) {
  for (const { file } of [active, mutant].filter(Boolean)) vitest.invalidateFile(resolve(root, file));
  active = mutant;
}

async function firstFailure(files) {
  const project = vitest.getRootProject();
  const paths = new Set(files.map((file) => resolve(root, file)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    [...paths].map((path) => project.createSpecification(path)),
    false,
  );
  const failed = testModules.find((module) => paths.has(module.moduleId) && module.state() === "failed");
  if (failed !== undefined) return failed.relativeModuleId;
  return unhandledErrors.length > 0 ? "unhandled error" : undefined;
}
