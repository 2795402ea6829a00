import { defineConfig, type ViteUserConfig } from "vitest/config";

/** What only `npm run score` measures: it needs much time, or the registry. */
const scored = process.env["DURABILITY"] === "whole" ? ["test/**/*.score.ts"] : [];

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", ...scored],
    exclude: ["**/node_modules/**", "**/dist/**", "dist.next-*/**"],
    globalSetup: ["test/support/run-folder.ts", "test/support/build.ts", "test/support/consumers.ts"],
    setupFiles: ["test/support/isolate.ts"],
    globals: false,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});

export default config;
