import type { JsonObject, RemoteLaunch, StdioLaunch } from "../../model/index.ts";
import { pathFromVariable } from "../source-files.ts";
import { type Dialect, inProject, type PortableServer } from "./dialect.ts";
import { EntryWriter, NO_PLACEHOLDERS } from "./entry-writer.ts";

const LABEL = "Codex";

/**
 * Codex: `[mcp_servers.<name>]`, timeouts in seconds. It expands no placeholders but can read headers and env from
 * variables.
 */
export const codex: Dialect = {
  id: "codex",
  label: LABEL,
  format: "toml",
  files: (where, scope) =>
    scope === "project"
      ? inProject(where, ".codex", "config.toml")
      : [
          where.join(
            pathFromVariable(where, "CODEX_HOME") ?? where.join(where.home, ".codex"),
            "config.toml",
          ),
        ],
  keyPath: () => ["mcp_servers"],
  toEntry(server) {
    const writer = new EntryWriter(LABEL, NO_PLACEHOLDERS);
    const { name, launch } = server;
    // One invalid name makes Codex reject the whole file.
    if (!/^[a-zA-Z0-9_-]+$/.test(name)) writer.refuse("accepts only letters, digits, - and _ in names");
    if (launch.transport === "stdio")
      return writer.finish({ ...stdioFields(launch, writer), ...limitFields(server) });
    if (launch.transport === "sse") writer.refuse("does not support SSE");
    return writer.finish({ ...remoteFields(launch, writer), ...limitFields(server) });
  },
  launchFields: [
    ..."type command args env env_vars cwd url http_headers env_http_headers bearer_token_env_var".split(" "),
    ..."http_headers_helper oauth scopes oauth_resource auth environment_id".split(" "),
  ],
  grants: ["default_tools_approval_mode", "tools"],
  merges: true,
};

/** Variables that keep their name go into `env_vars`. Any other placeholder is unsupported. */
function stdioFields(launch: StdioLaunch, wording: EntryWriter): JsonObject {
  const { command, args, cwd, envFile, inheritEnv } = launch;
  const passedByName = Object.keys(launch.env).filter((name) => launch.env[name] === `\${${name}}`);
  const literal = Object.fromEntries(
    Object.entries(launch.env).filter(([name]) => !passedByName.includes(name)),
  );
  if (inheritEnv === true) wording.refuse("passes only part of the environment to servers (inheritEnv)");
  if (envFile !== undefined) wording.refuse("does not support envFile");
  const names = [...new Set([...(Array.isArray(inheritEnv) ? inheritEnv : []), ...passedByName])];
  return {
    command: wording.text("command", command),
    ...(args.length > 0 && { args: wording.list("args", args) }),
    ...(Object.keys(literal).length > 0 && { env: wording.map("env", literal) }),
    ...(names.length > 0 && { env_vars: names }),
    ...(cwd !== undefined && { cwd: wording.text("cwd", cwd) }),
  };
}

/** Codex has separate fields for `Bearer ${VAR}` and for headers that consist of one variable. */
function remoteFields(
  { url, headers }: Pick<RemoteLaunch, "url" | "headers">,
  wording: EntryWriter,
): JsonObject {
  const fromEnv: Record<string, string> = {};
  const literal: Record<string, string> = {};
  let bearer: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const [, isBearer, variable] = /^(bearer )?\$\{([A-Za-z_]\w*)\}$/i.exec(value) ?? [];
    if (variable === undefined || (isBearer !== undefined && !/^authorization$/i.test(name)))
      literal[name] = value;
    else if (isBearer === undefined) fromEnv[name] = variable;
    else bearer = variable;
  }
  return {
    url: wording.text("url", url),
    ...(bearer !== undefined && { bearer_token_env_var: bearer }),
    ...(Object.keys(literal).length > 0 && { http_headers: wording.map("headers", literal) }),
    ...(Object.keys(fromEnv).length > 0 && { env_http_headers: fromEnv }),
  };
}

function limitFields({ timeoutMs, startupTimeoutMs, allowTools, denyTools }: PortableServer): JsonObject {
  return {
    ...(startupTimeoutMs !== undefined && { startup_timeout_sec: startupTimeoutMs / 1000 }),
    ...(timeoutMs !== undefined && { tool_timeout_sec: timeoutMs / 1000 }),
    ...(allowTools !== undefined && { enabled_tools: allowTools }),
    ...(denyTools !== undefined && { disabled_tools: denyTools }),
  };
}
