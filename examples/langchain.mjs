import { createHost } from "plugboard";
import { langChainTools } from "plugboard/langchain";

const host = await createHost();
try {
  const tools = await langChainTools(host.session(), { waitMs: 30_000 });
  // Pass them to model.bindTools(tools) or createAgent({ model, tools }), or call one as a model would:
  const read = tools.find(({ name }) => name === "mcp_files_read_text_file");
  const message = await read.invoke({
    type: "tool_call",
    id: "1",
    name: read.name,
    args: { path: "README.md" },
  });
  console.log(message.content, message.artifact.details.serverName);
} finally {
  await host.close();
}
