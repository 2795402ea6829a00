import { defineConfig, type ViteUserConfig } from "vitest/config";

/** What only `npm run score` measures: it needs much time, or the registry. */
const scored = process.env["DURABILITY"] === "whole" ? ["test/**/*.score.ts"] : [];
const exclude = ["**/node_modules/**", "**/dist/**", "dist.next-*/**"];

const config: ViteUserConfig = defineConfig({
  test: {
    globalSetup: ["test/support/run-folder.ts", "test/support/build.ts", "test/support/consumers.ts"],
    setupFiles: ["test/support/isolate.ts"],
    globals: false,
    pool: "forks",
    maxWorkers: 3, // most tests of flows wait for another process, so three keep two cores busy
    testTimeout: 60_000, // tests start many processes, and the machine may be busy
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      // Unit tests share processes: one process per file takes 40 % more CPU time.
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], exclude, isolate: false } },
      { extends: true, test: { name: "flow", include: ["test/**/*.test.ts", ...scored], exclude } },
    ],
  },
});

export default config;
