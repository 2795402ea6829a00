import type { JsonMap, ServerDetails, ToolDetails } from "../../src/page-api.ts";

const HOME = "/home/ada/.plugboard/mcp.json";

export function worldServers(): readonly ServerDetails[] {
  return [
    server({
      name: "files",
      state: "connected",
      launch: "npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /home/ada/shop",
      tools: 14,
      problems: 1,
      actions: ["reconnect", "disable"],
      env: ["NODE_OPTIONS"],
      cwd: "/home/ada/shop",
      facts: {
        name: "secure-filesystem-server",
        version: "0.2.0",
        protocolVersion: "2025-11-25",
        era: "legacy",
        capabilities: ["tools", "roots"],
        instructions: "Paths must be inside of the allowed folders.\nUse list_allowed_directories first.",
      },
      shadows: [{ file: "/home/ada/.vscode/mcp.json", line: 3, column: 5 }],
      problemList: [
        {
          severity: "info",
          code: "SERVER_SHADOWED",
          message: "“files” is also defined in /home/ada/.vscode/mcp.json, which is not used.",
          place: { file: "/home/ada/.vscode/mcp.json", line: 3, column: 5 },
        },
      ],
    }),
    server({
      name: "github",
      state: "connected",
      transport: "http",
      launch: "https://api.githubcopilot.com/mcp/",
      tools: 41,
      problems: 1,
      actions: ["reconnect", "disable"],
      headers: ["Authorization"],
      place: { file: HOME, line: 9, column: 5 },
    }),
    server({
      name: "memory",
      state: "idle",
      launch: "npx -y @modelcontextprotocol/server-memory@2026.8.31",
      tools: 9,
      actions: ["reconnect", "disable"],
      place: { file: HOME, line: 21, column: 5 },
    }),
    server({
      name: "browser",
      state: "failed",
      launch: "npx -y @playwright/mcp@0.0.52 --headless",
      because: "The program exited with code 1 after 0.4 s.",
      hint: "Its last output: Error: Chromium is not installed. Run: npx playwright install chromium",
      errorCode: "SERVER_EXITED",
      tools: 22,
      actions: ["reconnect", "disable"],
      tool: "cursor",
      place: { file: "/home/ada/.cursor/mcp.json", line: 4, column: 5 },
    }),
    server({
      name: "notes",
      state: "needs_auth",
      transport: "http",
      launch: "https://mcp.notes.example/mcp",
      because: "The server requires a sign-in.",
      hint: "Sign in: plugboard login notes",
      actions: ["disable"],
      place: { file: HOME, line: 27, column: 5 },
    }),
    server({
      name: "tracker",
      state: "untrusted",
      tier: "project",
      tool: "mcp-json",
      launch: "npx -y tracker-mcp",
      because: "Defined by this project; not approved yet.",
      actions: ["disable"],
      place: { file: "/home/ada/shop/.mcp.json", line: 3, column: 5 },
    }),
    server({
      name: "search",
      state: "connected",
      launch: "uvx search-mcp==1.4.0",
      tools: 3,
      actions: ["reconnect", "disable"],
      tool: "vscode",
      place: { file: "/home/ada/.config/Code/User/mcp.json", line: 12, column: 5 },
    }),
    server({
      name: "postgres",
      state: "disabled",
      enabled: false,
      launch: "docker run -i --rm mcp/postgres postgresql://localhost/shop",
      actions: ["enable"],
      place: { file: HOME, line: 33, column: 5 },
    }),
    server({
      name: "weather",
      state: "invalid",
      launch: "",
      because: "“command” must be a string.",
      problems: 1,
      actions: [],
      tool: "cursor",
      place: { file: "/home/ada/.cursor/mcp.json", line: 14, column: 7 },
    }),
  ];
}

function server(
  facts: Partial<ServerDetails> & Pick<ServerDetails, "name" | "state" | "launch" | "actions">,
): ServerDetails {
  return {
    enabled: true,
    transport: "stdio",
    tier: "user",
    tool: "plugboard",
    place: { file: HOME, line: 3, column: 5 },
    problems: 0,
    env: [],
    headers: [],
    shadows: [],
    problemList: [],
    ...facts,
  };
}

export function worldTools(): readonly ToolDetails[] {
  return [
    tool(
      "files",
      "read_text_file",
      "Reads a complete file as text. Handles various encodings, and reports errors if the file cannot be read.",
      {
        annotations: { readOnly: true },
        inputSchema: object(
          {
            path: text("The file to read"),
            head: { type: "integer", description: "Only the first lines" },
            tail: { type: "integer" },
          },
          ["path"],
        ),
      },
    ),
    tool("files", "write_file", "Creates a file, or overwrites it without a warning.", {
      decision: "ask",
      rule: "tools that change data require approval (the default)",
      annotations: { readOnly: false, destructive: true, idempotent: true },
      inputSchema: object(
        { path: text("The file to write"), content: { type: "string", maxLength: 100_000 } },
        ["path", "content"],
      ),
    }),
    tool("files", "list_directory", "Lists the files and folders of a folder.", {
      annotations: { readOnly: true },
      inputSchema: object({ path: text("The folder") }, ["path"]),
    }),
    tool("github", "search_issues", "Searches issues and pull requests.", {
      annotations: { readOnly: true, openWorld: true },
      inputSchema: object(
        {
          query: { ...text("In GitHub's search syntax"), title: "Search text" },
          sort: { enum: ["created", "updated", "comments"], default: "created" },
          order: { type: "string", enum: ["asc", "desc"] },
          labels: {
            type: "array",
            items: { type: "string" },
            description: "Only issues with all of these labels",
          },
          draft: { type: "boolean" },
          page: { type: "number", minimum: 1, default: 1 },
          owner: object(
            { login: text("A person or organization"), kind: { enum: ["user", "organization"] } },
            ["login"],
          ),
          extra: { anyOf: [{ type: "string" }, { type: "object" }], description: "Anything else" },
        },
        ["query"],
      ),
      outputSchema: object({ total: { type: "integer" } }, []),
    }),
    tool("github", "delete_repository", "Deletes a repository.", {
      decision: "deny",
      rule: "settings.json denies github/delete_*",
      annotations: { readOnly: false, destructive: true },
      inputSchema: object({ repository: text("owner/name") }, ["repository"]),
      findings: ["The description tells the model to ignore its instructions."],
    }),
    tool("browser", "navigate", "Opens a page.", {
      annotations: { openWorld: true },
      inputSchema: object({ url: { type: "string", format: "uri" } }, ["url"]),
    }),
    tool("memory", "read_graph", "Returns everything that is remembered.", {
      annotations: { readOnly: true, idempotent: true },
      inputSchema: { type: "object" },
    }),
  ];
}

const text = (description: string): JsonMap => ({ type: "string", description });
const object = (properties: JsonMap, required: readonly string[]): JsonMap => ({
  type: "object",
  properties,
  required,
});

function tool(
  name: string,
  toolName: string,
  description: string,
  rest: Partial<ToolDetails> & Pick<ToolDetails, "inputSchema" | "annotations">,
): ToolDetails {
  return {
    server: name,
    tool: toolName,
    title: toolName,
    description,
    decision: "allow",
    rule: "tools that only read are allowed (the default)",
    tokens: 180,
    findings: [],
    ...rest,
  };
}
