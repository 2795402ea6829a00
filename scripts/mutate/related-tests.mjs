/** Finds the tests of a source file: those of its module, then others that import it, then flows with real servers. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Flows that use a module through the public API, most relevant first. */
const FLOWS = {
  "src/policy/": ["flow/approval", "flow/tool-gate", "flow/tool-pins"],
  "src/values/": ["flow/secret-values", "flow/environment-and-secrets", "auth/clients"],
  "src/auth/": [
    "auth/attacks",
    "auth/clients",
    "auth/sign-in",
    "auth/providers",
    "auth/side-by-side",
    "auth/cancelled",
  ],
  "src/documents/": ["flow/writing-files", "flow/writing-add"],
  "src/bridge/tool-result.ts": ["flow/call", "flow/hostile-tools"],
  "src/connection/wire/": [
    "flow/questions",
    "flow/progress-and-abort",
    "flow/eras",
    "flow/tasks",
    "flow/resources-and-prompts",
    "flow/logs-and-meta",
    "flow/http-listen",
  ],
};

/** A test of another module counts if the file is at most this many imports away: through an index file into the module. */
const NEAR = 3;

const IMPORTED = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Returns a function from a source file to its tests, as stages that run one after the other. */
export function relatedTests(tests, { flows: withFlows }) {
  const reached = new Map(tests.map((test) => [test, reachedFrom(test)]));
  const steps = (test, file) => reached.get(test).get(file) ?? Number.POSITIVE_INFINITY;
  return (file) => {
    const folder = dirname(file);
    const importing = tests.filter((test) => steps(test, file) < Number.POSITIVE_INFINITY);
    const sibling = file.replace(/\.ts$/, ".test.ts");
    const own = importing.filter((test) => test === sibling);
    const near = importing.filter((test) => test !== sibling && dirname(test) === folder);
    const far = importing.filter((test) => dirname(test) !== folder && steps(test, file) <= NEAR);
    const flows = Object.entries(FLOWS)
      .filter(([prefix]) => withFlows && file.startsWith(prefix))
      .flatMap(([, names]) => names.map((name) => `test/${name}.test.ts`));
    return [own, near, far, flows].filter((stage) => stage.length > 0);
  };
}

/** Returns every file that a test imports, with its distance in imports. */
function reachedFrom(test) {
  const steps = new Map([[test, 0]]);
  for (const [file, distance] of steps) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
      const next = join(dirname(file), path);
      if (!steps.has(next) && existsSync(next)) steps.set(next, distance + 1);
    }
  }
  return steps;
}
