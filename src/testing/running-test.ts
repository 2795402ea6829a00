import type { HostOptions } from "../index.ts";

/** The part of Vitest's test context that is used. */
export interface VitestTest {
  /** The running test. */
  readonly task: {
    readonly name: string;
    /** The names of the suites and the test. */
    readonly fullTestName?: string;
    readonly file: { readonly filepath: string };
  };
  /** Runs after the test. */
  onTestFinished(close: () => Promise<void>): void;
}

/** The part of `node:test`'s test context that is used. */
export interface NodeTest {
  /** The name of the test. */
  readonly name: string;
  /** The names of the suites and the test. */
  readonly fullName?: string;
  /** The test file. Default: the file that the process runs. */
  readonly filePath?: string | undefined;
  /** Runs after the test. */
  after(close: () => Promise<void>): void;
}

/** The context that Vitest or `node:test` passes to a test. */
export type RunningTest = VitestTest | NodeTest;

/** Options for `recordedHost`. */
export interface RecordedHostOptions extends Omit<HostOptions, "record" | "replay"> {
  /** The recording. Default: a file for this test in `recordings`, next to the test file. */
  readonly file?: string;
}
