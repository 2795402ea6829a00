/** How tools are named for a model: `mcp_server_tool`, `mcp__server__tool` or `server_tool`. */
export const NAMING_STYLES = ["seeds", "claude", "plain"] as const;

export type NamingStyle = (typeof NAMING_STYLES)[number];
