import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";

/** The boot time is computed from two clocks that drift, so it is rounded to this step. */
const BOOT_STEP_MS = 600_000;

/**
 * Returns an id of the machine, its boot and the PID namespace of this process. Process ids can be compared only if
 * this id is equal. Returns `undefined` on Linux without `/proc`, where the namespace is unknown.
 */
export function placeOf(platform: string, proc = "/proc"): string | undefined {
  try {
    const boot =
      platform === "linux"
        ? [
            readFileSync(`${proc}/sys/kernel/random/boot_id`, "latin1").trim(),
            readlinkSync(`${proc}/self/ns/pid`),
          ]
        : [String(Math.round((Date.now() - uptime() * 1_000) / BOOT_STEP_MS))];
    return [platform, hostname(), ...boot].map(encodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}
