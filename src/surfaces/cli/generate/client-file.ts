import type { AgentTool } from "../../../index.ts";
import { comment, indent, literal, propertyName } from "./safe-code.ts";
import { type ServerDefinitions, ToolTypeWriter, writeTools } from "./tool-writer.ts";

const PACKAGE = literal("plugboard");

/** JavaScript calls these methods by itself or treats them in a special way, so a server must not define them. */
const EXCLUDED_NAMES = new Set(["__proto__", "then", "toJSON", "toString", "valueOf"]);

/** Returns a module with a function `createClient`. Its result has a method for each of the server's tools. */
export async function clientFile({ server, tools }: ServerDefinitions): Promise<string> {
  const types = new ToolTypeWriter();
  const offered = tools.filter(({ tool }) => !EXCLUDED_NAMES.has(tool));
  const members = await writeTools(offered, (tool) => {
    const { input, output = "" } = types.write(tool);
    const args = `args${canOmitArguments(tool) ? "?" : ""}: ${input}`;
    const result = `Promise<ToolResult${output === "" ? "" : `<${output}>`}>`;
    const signature = `${propertyName(tool.tool)}: (${args}, options?: HostCallOptions) => ${result};`;
    return `${comment(tool.description)}${signature}`;
  });
  const methods = offered.map(({ tool }) => `${propertyName(tool)}: call(${literal(tool)}),`);
  return `import type { Host, HostCallOptions, JsonObject, ToolResult } from ${PACKAGE};

const SERVER: string = ${literal(server)};

/** The server's tools. */
export interface Client {
${indent(members.join("\n"))}
}

/** Returns a client that calls the tools through a host. */
export function createClient(host: Pick<Host, "call">): Client {
  const call = (tool: string) => (args?: unknown, options?: HostCallOptions) =>
    host.call(SERVER, tool, args as JsonObject, options) as Promise<ToolResult<never>>;
  return {
${indent(indent(methods.join("\n")))}
  };
}${types.interfaces.map((code) => `\n\n${code}`).join("")}`;
}

function canOmitArguments({ inputSchema }: AgentTool): boolean {
  const { required } = inputSchema;
  const isCombined = ["$ref", "anyOf", "oneOf", "allOf"].some((key) => key in inputSchema);
  return !isCombined && (!Array.isArray(required) || required.length === 0);
}
