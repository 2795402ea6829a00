import type { Fault, StdioScript } from "./fault.ts";
import { STDIO_LIFE_FAULTS } from "./stdio-life-faults.ts";
import { STDIO_LIST_FAULTS } from "./stdio-list-faults.ts";
import { STDIO_START_FAULTS } from "./stdio-start-faults.ts";
import { STDIO_TALK_FAULTS } from "./stdio-talk-faults.ts";

export const STDIO_FAULTS: readonly Fault<StdioScript>[] = [
  ...STDIO_START_FAULTS,
  ...STDIO_TALK_FAULTS,
  ...STDIO_LIST_FAULTS,
  ...STDIO_LIFE_FAULTS,
];
