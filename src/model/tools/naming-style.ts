/**
 * How tools are named for a model: `mcp_server_tool` (`plugboard`), the same without digits (`seeds`),
 * `mcp__server__tool` (`claude`) or `server_tool` (`plain`).
 */
export const NAMING_STYLES = ["plugboard", "seeds", "claude", "plain"] as const;

/** How tools are named for a model. */
export type NamingStyle = (typeof NAMING_STYLES)[number];

/** Marks a name that several tools have had. No tool can get it again. */
export const RETIRED_NAME = "retired";
