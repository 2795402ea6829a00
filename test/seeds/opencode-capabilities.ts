import { inSection, type SeedRow } from "./seed-row.ts";

/** The client's lifecycle: initialization, tools, resources, prompts. */
export const opencodeCapabilityRows: readonly SeedRow[] = [
  ...inSection("1. Initialization", [
    {
      id: "opencode-5.01",
      kind: "rule",
      milestone: 1,
      promise: "A name and its config are enough to create the transport and connect.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "opencode-5.02",
      kind: "name",
      milestone: 1,
      promise: "The client tells the server its name and version.",
      deviation: 'The name is `"plugboard"`.',
      shownBy: {
        file: "test/flow/call.test.ts",
        test: "a server receives the client's identity, and only capabilities that have a handler",
      },
    },
    {
      id: "opencode-5.03",
      kind: "rule",
      milestone: 3,
      promise: "The client announces its capabilities.",
      shownBy: {
        file: "test/flow/questions.test.ts",
        test: "receives only the capabilities that have handlers",
      },
      deviation: "Tools, resources and prompts belong to the server; announced is only what has a handler.",
    },
    {
      id: "opencode-5.04",
      kind: "name",
      milestone: 3,
      promise: "When a server's tools change, `ToolsChanged` is published with `{ server }`.",
      deviation: "As `tools.changed`.",
      shownBy: {
        file: "test/flow/events-and-session.test.ts",
        test: "the tools of a server that announces a change are read again, and the event names the server",
      },
    },
  ]),
  ...inSection("2. Capability Discovery", [
    {
      id: "opencode-5.05",
      kind: "name",
      milestone: 1,
      promise: "A listed tool has `name`, `description` and `inputSchema`.",
      shownBy: {
        file: "test/flow/call.test.ts",
        test: "a tool keeps its title, description, schema and hints under a name every model accepts",
      },
    },
    {
      id: "opencode-5.06",
      kind: "name",
      milestone: 3,
      promise: "A listed resource has `uri`, `name` and `description`.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources, templates and prompts listed with their details",
      },
    },
    {
      id: "opencode-5.07",
      kind: "name",
      milestone: 3,
      promise: "A listed prompt has `name`, `description` and `arguments`, each with `name` and `required`.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources, templates and prompts listed with their details",
      },
    },
  ]),
  ...inSection("3. Tool Execution", [
    {
      id: "opencode-5.08",
      kind: "rule",
      milestone: 5,
      promise: "An MCP tool is converted to a tool of the AI SDK.",
      deviation: "To those of OpenAI, Anthropic and LangChain as well.",
      shownBy: {
        file: "test/consumers/sdks/ai-sdk.test.ts",
        test: "calls tools, receives their results and responds",
      },
    },
    {
      id: "opencode-5.09",
      kind: "rule",
      milestone: 5,
      promise: "A tool without a description gets an empty one.",
      deviation:
        "It gets `MCP tool from <server>`, as in the pi family: a model cannot choose by an empty text.",
      shownBy: { file: "src/bridge/to-agent-tools.test.ts", test: "with %s" },
    },
    {
      id: "opencode-5.10",
      kind: "rule",
      milestone: 1,
      promise: "A tool keeps the JSON schema of its input.",
      shownBy: {
        file: "test/flow/call.test.ts",
        test: "a tool keeps its title, description, schema and hints under a name every model accepts",
      },
    },
    {
      id: "opencode-5.11",
      kind: "rule",
      milestone: 1,
      promise:
        "Executing it calls the server with the tool's own name and the arguments, and returns the result.",
      shownBy: {
        file: "test/flow/program-servers.test.ts",
        test: "a server in the user's file becomes a callable tool",
      },
    },
    {
      id: "opencode-5.12",
      kind: "number",
      milestone: 3,
      promise: "A call times out after 30000 ms by default.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "a call has a timeout of 30 seconds by default",
      },
    },
    {
      id: "opencode-5.13",
      kind: "name",
      milestone: 3,
      promise: "Progress starts the timeout of a call again (`resetTimeoutOnProgress`).",
      deviation: "Up to a hard maximum of 10 minutes for the whole call.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "progress extends a call's time limit, up to ten minutes",
      },
    },
    {
      id: "opencode-5.14",
      kind: "rule",
      milestone: 5,
      promise: "Agents hold MCP tools like any regular tool.",
      shownBy: {
        file: "test/flow/session-tools.test.ts",
        test: "a removed tool returns an error until the next step, and the registry follows the servers",
      },
    },
  ]),
  ...inSection("4. Resource Access", [
    {
      id: "opencode-5.15",
      kind: "rule",
      milestone: 3,
      promise: "A resource is read by its `uri`.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources read by URI: text, bytes, and those of a template",
      },
    },
    {
      id: "opencode-5.16",
      kind: "name",
      milestone: 3,
      promise: "Reading gives `contents` with `uri`, `mimeType` and `text`.",
      deviation: "All three in each content, as the protocol has it, not beside the list.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources read by URI: text, bytes, and those of a template",
      },
    },
  ]),
  ...inSection("5. Prompt Templates", [
    {
      id: "opencode-5.17",
      kind: "rule",
      milestone: 3,
      promise: "A prompt is got by its `name` with `arguments`.",
      deviation: "Arguments can be completed by the server.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "fills in its prompts, and completes their arguments",
      },
    },
    {
      id: "opencode-5.18",
      kind: "name",
      milestone: 3,
      promise: "Getting a prompt gives `messages` with `role` and `content`.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "fills in its prompts, and completes their arguments",
      },
    },
    {
      id: "opencode-5.19",
      kind: "rule",
      milestone: 6,
      promise: "A prompt's messages can be put into the conversation.",
      deviation: "With their roles and media, as `/<server>:<prompt>`.",
      shownBy: {
        file: "test/chat/insert.test.ts",
        test: "is inserted into the conversation with its roles and media, and the model answers",
      },
    },
  ]),
];
