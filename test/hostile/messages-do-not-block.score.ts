import { describe } from "vitest";
import { HEAVY_MESSAGES } from "../servers/heavy-messages.mjs";
import { reportStalls } from "./report-stalls.ts";

/** Each message is as slow to handle, or as large in memory, as one message of 16 MB can be. */
describe("a server's message", () => {
  reportStalls({
    line: "heavy messages handled without a stall over 250 ms",
    program: new URL("measure-message.mjs", import.meta.url),
    names: Object.keys(HEAVY_MESSAGES),
  });
});
