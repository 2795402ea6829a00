import { createHost } from "plugboard";

const host = await createHost();
try {
  const session = host.session({ mode: "meta" });
  const tools = await session.tools({ waitMs: 30_000 });
  console.log(tools.map(({ name }) => name).join(", "));

  // Use them as a model would:
  const use = (name, args) => tools.find((tool) => tool.name === name).execute(args);
  const { text: found } = await use("mcp_search_tools", {
    queries: ["read file", "open text file", "files read"],
  });
  console.log(found.split("(")[0]);
  const args = { name: "mcp_files_read_text_file", arguments: { path: "README.md" } };
  const { text } = await use("mcp_call_tool", args);
  console.log(text);
} finally {
  await host.close();
}
