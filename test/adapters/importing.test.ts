import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Names every module that is loaded from a package. */
const WATCH = `
  import { register } from "node:module";
  const hooks = "export const load = (url, context, next) => { if (url.includes('/node_modules/')) console.log(url); return next(url, context); };";
  register("data:text/javascript," + encodeURIComponent(hooks));
`;

test.each(["ai-sdk", "anthropic", "claude-agent", "google", "langchain", "mastra", "openai"])(
  "importing plugboard/%s does not load the package it is for",
  async (adapter) => {
    const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
    const program = `const entryPoint = await import("plugboard/${adapter}"); console.log(Object.keys(entryPoint).length > 0);`;
    const { stdout } = await run(process.execPath, ["--import", watch, "--input-type=module", "-e", program]);
    expect(stdout).toBe("true\n");
  },
);
