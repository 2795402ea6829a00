import { type ToolFinder, ToolNames } from "../../bridge/index.ts";
import type { EventHub, NamingStyle } from "../../model/index.ts";
import type { ToolNameRecords } from "../../state/index.ts";
import { createToolProblems, type ToolProblems } from "./tool-problems.ts";
import type { ToolUsage } from "./tool-usage.ts";

/** What a host knows about tools outside sessions: their names, their problems, and how to search them. */
export interface KnownTools {
  /** One set of names per naming style. */
  readonly names: Readonly<Record<NamingStyle, ToolNames>>;
  /** Which tool each name refers to, shared by all processes. */
  readonly nameRecords: ToolNameRecords;
  /** Tool search by server name; `undefined` searches all servers. */
  readonly finders: Map<string | undefined, ToolFinder>;
  readonly problems: ToolProblems;
  /** Which tools were called, for better search results. */
  readonly usage: ToolUsage;
}

export function createKnownTools(
  nameRecords: ToolNameRecords,
  events: Pick<EventHub, "publish">,
  usage: ToolUsage,
): KnownTools {
  return {
    names: {
      plugboard: new ToolNames("plugboard"),
      seeds: new ToolNames("seeds"),
      claude: new ToolNames("claude"),
      plain: new ToolNames("plain"),
    },
    nameRecords,
    finders: new Map(),
    problems: createToolProblems(events),
    usage,
  };
}
