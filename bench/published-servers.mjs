/**
 * Published MCP servers that list their tools without an account. A server that does not start without a key gets
 * a made-up one. Only its list of tools is read.
 */
const KEY = "not-a-key";

export const publishedServers = {
  everything: { package: "@modelcontextprotocol/server-everything", isOurs: true },
  filesystem: { package: "@modelcontextprotocol/server-filesystem", isOurs: true, args: ["."] },
  memory: { package: "@modelcontextprotocol/server-memory", isOurs: true },
  playwright: { package: "@playwright/mcp", version: "0.0.83" },
  devtools: { package: "chrome-devtools-mcp", version: "1.11.0", bin: "chrome-devtools-mcp" },
  context7: { package: "@upstash/context7-mcp", version: "4.1.1" },
  git: { package: "@cyanheads/git-mcp-server", version: "2.15.3" },
  github: {
    package: "@modelcontextprotocol/server-github",
    version: "2025.4.8",
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: KEY },
  },
  gitlab: {
    package: "@zereight/mcp-gitlab",
    version: "2.1.64",
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: KEY, USE_PIPELINE: "true", USE_MILESTONE: "true" },
  },
  slack: {
    package: "@modelcontextprotocol/server-slack",
    version: "2025.4.25",
    env: { SLACK_BOT_TOKEN: KEY, SLACK_TEAM_ID: KEY },
  },
  maps: {
    package: "@modelcontextprotocol/server-google-maps",
    version: "0.6.2",
    env: { GOOGLE_MAPS_API_KEY: KEY },
  },
  brave: { package: "@brave/brave-search-mcp-server", version: "2.1.4", env: { BRAVE_API_KEY: KEY } },
  notion: { package: "@notionhq/notion-mcp-server", version: "2.5.2", env: { NOTION_TOKEN: KEY } },
  mongodb: { package: "mongodb-mcp-server", version: "3.0.4", env: { MDB_MCP_TELEMETRY: "disabled" } },
  kubernetes: { package: "mcp-server-kubernetes", version: "4.1.7" },
  circleci: {
    package: "@circleci/mcp-server-circleci",
    version: "0.20.0",
    env: { CIRCLECI_TOKEN: KEY },
  },
  elasticsearch: {
    package: "@elastic/mcp-server-elasticsearch",
    version: "0.3.1",
    env: { ES_URL: "http://127.0.0.1:9", ES_API_KEY: KEY },
  },
  airtable: { package: "airtable-mcp-server", version: "1.14.0", env: { AIRTABLE_API_KEY: KEY } },
  tavily: { package: "tavily-mcp", version: "0.2.22", env: { TAVILY_API_KEY: KEY } },
  hubspot: { package: "@hubspot/mcp-server", version: "0.4.0", env: { PRIVATE_APP_ACCESS_TOKEN: KEY } },
};
