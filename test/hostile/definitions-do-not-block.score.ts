import { describe } from "vitest";
import { HEAVY_DEFINITIONS } from "../servers/heavy-definitions.mjs";
import { reportStalls } from "./report-stalls.ts";

/** Each list is as slow to handle as one message of 16 MB can be, or as one that is just below the limit of a million values. */
describe("a list of tools", () => {
  reportStalls({
    line: "heavy tool lists inspected or refused without a stall over 250 ms",
    program: new URL("measure-heavy.mjs", import.meta.url),
    names: Object.keys(HEAVY_DEFINITIONS),
  });
});
