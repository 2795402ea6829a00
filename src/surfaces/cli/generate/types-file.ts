import { comment, indent, propertyName } from "./safe-code.ts";
import { type ServerDefinitions, ToolTypeWriter, writeTools } from "./tool-writer.ts";

/** Returns a declaration file that adds the servers' tools to the interface `ServerTools`. */
export async function typesFile(servers: readonly ServerDefinitions[]): Promise<string> {
  const types = new ToolTypeWriter();
  const entries: string[] = [];
  for (const { server, tools } of servers) {
    const members = await writeTools(tools, (tool) => {
      const { input, output } = types.write(tool);
      const lines = [`input: ${input};`, ...(output === undefined ? [] : [`output: ${output};`])];
      return `${comment(tool.description)}${propertyName(tool.tool)}: {\n${indent(lines.join("\n"))}\n};`;
    });
    entries.push(`${propertyName(server)}: {\n${indent(members.join("\n"))}\n};`);
  }
  const augmented = `interface ServerTools {\n${indent(entries.join("\n"))}\n}`;
  return [`declare module "plugboard" {\n${indent(augmented)}\n}`, ...types.interfaces, "export {};"].join(
    "\n\n",
  );
}
