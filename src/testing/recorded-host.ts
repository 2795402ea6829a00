import type { Host } from "../index.ts";
import type { RecordedHostOptions, RunningTest } from "./running-test.ts";

/**
 * Creates a host that replays the test's recording, and closes it after the test. If the environment variable `PLUGBOARD_RECORD` is
 * `1`, the host uses the servers and records the exchanges instead. Config files are read only with `discover: true`.
 */
export async function recordedHost(test: RunningTest, options: RecordedHostOptions = {}): Promise<Host> {
  return (await import("./open-recorded-host.lazy.ts")).openRecordedHost(test, options);
}
