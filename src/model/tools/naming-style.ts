/**
 * How tools are named for a model: `mcp_server_tool`, the same without digits (`seeds`), `mcp__server__tool` or `server_tool`.
 */
export const NAMING_STYLES = ["plugboard", "seeds", "claude", "plain"] as const;

export type NamingStyle = (typeof NAMING_STYLES)[number];

/** The owner of a name that no tool gets any more, because several tools had it. */
export const RETIRED_NAME = "retired";
