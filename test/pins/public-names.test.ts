import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as aiSdk from "../../src/adapters/ai-sdk/index.ts";
import * as anthropic from "../../src/adapters/anthropic/index.ts";
import * as claudeAgent from "../../src/adapters/claude-agent/index.ts";
import * as google from "../../src/adapters/google/index.ts";
import * as langChain from "../../src/adapters/langchain/index.ts";
import * as mastra from "../../src/adapters/mastra/index.ts";
import * as openAi from "../../src/adapters/openai/index.ts";
import * as compat from "../../src/compat/index.ts";
import * as gateway from "../../src/gateway.ts";
import * as plugboard from "../../src/index.ts";
import { ERROR_CODES, PROBLEM_CODES, SERVER_STATES } from "../../src/model/index.ts";
import * as terminal from "../../src/terminal.ts";
import * as testing from "../../src/testing/index.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;

test("the package exports these names and no others", () => {
  expect(Object.keys(plugboard).sort()).toEqual([
    "HostError",
    "ToolAbortError",
    "VERSION",
    "checkFormValue",
    "codeOf",
    "createHost",
    "isHostError",
    "messageOf",
  ]);
});

test("plugboard/gateway exports one function", () => {
  expect(Object.keys(gateway)).toEqual(["createGateway"]);
});

test("a gateway has these methods", async () => {
  await using opened = await gateway.createGateway({ discover: false });
  expect(Object.keys(opened).sort()).toEqual(["attach", "close", "listen", "openDashboard", "snapshot"]);
});

test("plugboard/terminal exports the text functions", () => {
  expect(Object.keys(terminal).sort()).toEqual([
    "describePlace",
    "looksSecret",
    "nearest",
    "quoteForShell",
    "safeJson",
    "safeLine",
    "safeText",
    "shellWord",
    "truncate",
  ]);
});

test("a host has these methods, by group", async () => {
  await using host = await plugboard.createHost({ discover: false });
  const namesIn = (object: object): string[] => Object.keys(object).sort();
  const groups = Object.entries(host).filter(([, value]) => typeof value === "object");
  expect({
    host: namesIn(host).filter((name) => !groups.some(([group]) => group === name)),
    ...Object.fromEntries(groups.map(([name, group]) => [name, namesIn(group as object)])),
  }).toMatchInlineSnapshot(`
    {
      "approvals": [
        "allowCall",
        "allowedCalls",
        "approve",
        "inspect",
        "list",
        "request",
        "revoke",
        "revokeCalls",
      ],
      "config": [
        "add",
        "applyExport",
        "bundles",
        "checkName",
        "edit",
        "explain",
        "importFrom",
        "move",
        "planExport",
        "profiles",
        "readMcpb",
        "rememberModel",
        "remove",
        "setEnabled",
        "settings",
        "unpackMcpb",
        "useProfile",
        "watch",
      ],
      "conversations": [
        "clear",
        "create",
        "list",
        "mask",
        "read",
        "save",
      ],
      "doctor": [
        "audit",
        "budget",
        "checkPackages",
        "checkPrograms",
        "checkTools",
        "checkValues",
        "checkVault",
        "diagnose",
        "inspectTool",
        "logs",
        "openPage",
        "planUninstall",
        "preview",
        "repairPackages",
        "request",
        "test",
        "uninstall",
      ],
      "host": [
        "as",
        "call",
        "close",
        "connect",
        "connectAll",
        "forgetUsage",
        "reload",
        "search",
        "servers",
        "session",
        "snapshot",
        "subscribe",
        "tools",
      ],
      "pins": [
        "accept",
        "review",
      ],
      "prompts": [
        "complete",
        "get",
        "list",
      ],
      "registry": [
        "cards",
        "find",
        "search",
      ],
      "resources": [
        "complete",
        "list",
        "read",
        "subscribe",
        "templates",
      ],
      "sandbox": [
        "choose",
        "denials",
        "learn",
        "missing",
        "offered",
        "propose",
        "test",
      ],
      "secrets": [
        "list",
        "read",
        "remove",
        "store",
      ],
      "signIns": [
        "list",
        "login",
        "logout",
        "use",
      ],
      "supply": [
        "advisories",
        "compareTools",
        "inventory",
        "lock",
        "outdated",
        "updateAdvisories",
        "upgrade",
        "verify",
      ],
      "tasks": [
        "cancel",
        "list",
        "wait",
      ],
    }
  `);
});

test("the test kit exports these names and no others", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "createManualClock",
    "createMemoryFiles",
    "createScriptedServer",
    "recordedHost",
    "serveHttp",
    "serveLines",
    "verifyCredentialStore",
  ]);
});

test("the seeds' names are exported unchanged", () => {
  expect(Object.keys(compat).sort()).toEqual([
    "DeferredMCPTool",
    "MCP",
    "MCPManager",
    "MCPTool",
    "McpClientManager",
    "McpOAuthCallback",
    "McpOAuthProvider",
    "ToolAbortError",
    "ToolRegistry",
    "convertSchema",
    "convertToLegacyConfig",
    "discoverAndLoadMCPTools",
    "discoverMcpConfigPath",
    "expandEnvVarsDeep",
    "loadAllMCPConfigs",
    "loadCapability",
    "loadMcpConfig",
    "mcpCapability",
    "parseMcpConfig",
    "resolveConfigValue",
    "statusOf",
    "validateServerConfig",
    "writeMCPConfigFile",
  ]);
});

test("the adapters export these names and no others", () => {
  const entryPoints = [aiSdk, anthropic, claudeAgent, google, langChain, mastra, openAi];
  expect(entryPoints.map((entryPoint) => Object.keys(entryPoint).sort())).toEqual([
    ["aiSdkTools"],
    ["anthropicTools"],
    ["claudeAgentTools"],
    ["googleTools"],
    ["langChainTools"],
    ["mastraTools"],
    ["agentsTools", "chatTools", "responsesTools"],
  ]);
});

test("the package has these entry points", () => {
  expect(Object.keys(manifest["exports"] as object)).toEqual([
    ".",
    "./compat",
    "./gateway",
    "./terminal",
    "./testing",
    "./ai-sdk",
    "./anthropic",
    "./claude-agent",
    "./google",
    "./langchain",
    "./mastra",
    "./openai",
    "./schemas/*",
    "./package.json",
  ]);
  expect(manifest["bin"]).toEqual({ plugboard: "./dist/surfaces/cli/main.cjs" });
});

test("the version in the code is the version of the package", () => {
  expect(plugboard.VERSION).toBe(manifest["version"]);
});

test("error codes are never renamed", () => {
  expect(ERROR_CODES).toMatchInlineSnapshot(`
    [
      "USAGE_INVALID",
      "CONFIG_INVALID",
      "CONFIG_UNWRITABLE",
      "CONFIG_EXISTS",
      "CONFIG_NOT_FOUND",
      "SERVER_UNKNOWN",
      "SERVER_INVALID",
      "SERVER_DISABLED",
      "INTERACTION_REQUIRED",
      "POLICY_HASH_MISMATCH",
      "POLICY_NOT_NEEDED",
      "BUNDLE_UNKNOWN",
      "VALUE_UNRESOLVED",
      "AUTH_REQUIRED",
      "AUTH_FAILED",
      "AUTH_TIMEOUT",
      "AUTH_CLIENT_REQUIRED",
      "AUTH_PROVIDER_UNKNOWN",
      "CONNECT_FAILED",
      "CONNECT_TIMEOUT",
      "CONNECT_COMMAND_NOT_FOUND",
      "CONNECT_EXITED",
      "CONNECT_UNREACHABLE",
      "INSTALL_FAILED",
      "INSTALL_TIMEOUT",
      "INSTALL_BROKEN",
      "PACKAGE_REFUSED",
      "CONNECTION_LOST",
      "REQUEST_TIMEOUT",
      "REQUEST_REFUSED",
      "TOOL_UNKNOWN",
      "TOOL_DENIED",
      "TOOL_ARGUMENTS_INVALID",
      "TOOL_CALL_FAILED",
      "CALL_TIMEOUT",
      "MIDDLEWARE_FAILED",
      "HANDLER_FAILED",
      "RESOURCE_UNKNOWN",
      "TASK_UNKNOWN",
      "PROMPT_UNKNOWN",
      "PROMPT_ARGUMENTS_INVALID",
      "MODEL_UNKNOWN",
      "MODEL_FAILED",
      "RECORDING_INVALID",
      "NOT_RECORDED",
      "DAEMON_REFUSED",
      "DAEMON_UNAVAILABLE",
      "LAUNCH_DIFFERS",
      "HOST_CLOSED",
      "CANCELLED",
      "STATE_LOCKED",
      "STATE_UNREADABLE",
      "STORE_UNAVAILABLE",
      "STORE_UNUSABLE",
      "INTERNAL_BUG",
    ]
  `);
});

test("problem codes are never renamed", () => {
  expect(PROBLEM_CODES).toMatchInlineSnapshot(`
    [
      "home-missing",
      "file-unreadable",
      "file-too-large",
      "file-empty",
      "file-not-text",
      "file-syntax",
      "file-shape",
      "file-missing",
      "file-not-own",
      "duplicate-key",
      "entry-shape",
      "field-type",
      "field-unknown",
      "name-invalid",
      "transport-ambiguous",
      "transport-unknown",
      "transport-inferred",
      "command-missing",
      "url-missing",
      "url-invalid",
      "protocol-unknown",
      "value-unresolved",
      "value-dynamic",
      "sign-in-address",
      "shadows-valid",
      "state-unreadable",
      "state-unwritable",
      "settings-invalid",
      "source-ignored",
      "owner-refuses",
      "tool-invalid",
      "item-invalid",
      "list-partial",
      "name-collision",
      "tool-quarantined",
      "tool-denied",
      "tool-held",
      "tool-changed",
      "tool-suspicious",
      "package-replaced",
      "recording-incomplete",
    ]
  `);
});

test("a server is in one of these states", () => {
  expect(SERVER_STATES).toEqual([
    "idle",
    "installing",
    "connecting",
    "connected",
    "reconnecting",
    "needs_auth",
    "needs_client_registration",
    "untrusted",
    "failed",
    "disabled",
    "invalid",
  ]);
});
