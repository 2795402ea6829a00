import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Describes the machine without identifying it. */
export function describeMachine() {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return {
    plugboard: version,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
  };
}
