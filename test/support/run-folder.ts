import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Holds the folders of all test files of one run. */
    readonly runFolder: string;
    /** `PLUGBOARD_TEST_DATABASE`: a PostgreSQL server to use instead of the one from npm. */
    readonly testDatabase: string;
  }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "plugboard-test-")));

export function setup({ provide }: TestProject): void {
  provide("runFolder", folder);
  provide("testDatabase", process.env["PLUGBOARD_TEST_DATABASE"] ?? "");
}

/** Test files clean up after themselves, unless they are skipped as a whole or crash. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
