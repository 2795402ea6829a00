/**
 * Uses a gateway with clients of other libraries, over Streamable HTTP. Arguments: the client, the gateway's URL. TOKEN in the
 * environment: the gateway's token. Prints what the client got as JSON.
 */
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { MCPClient as MastraClient } from "@mastra/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [name, url] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.TOKEN}` };
const ECHO = "notes_echo";

const CLIENTS = {
  async "sdk-v1"() {
    const client = new Client({ name: "sdk-v1", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    const called = await client.callTool({ name: ECHO, arguments: { text: "hi" } });
    const { resources } = await client.listResources();
    const read = await client.readResource({ uri: resources[0].uri });
    const { prompts } = await client.listPrompts();
    const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { name: "Ada" } });
    await client.close();
    return {
      tools: tools.map((tool) => tool.name),
      called: called.content[0].text,
      resource: read.contents[0].text,
      prompt: prompt.messages[0].content.text,
    };
  },
  async "ai-sdk"() {
    const client = await createMCPClient({ transport: { type: "http", url, headers } });
    const tools = await client.tools();
    const called = await tools[ECHO].execute({ text: "hi" }, { toolCallId: "1", messages: [] });
    const { resources } = await client.listResources();
    const read = await client.readResource({ uri: resources[0].uri });
    const { prompts } = await client.experimental_listPrompts();
    const prompt = await client.experimental_getPrompt({ name: prompts[0].name, arguments: { name: "Ada" } });
    await client.close();
    return {
      tools: Object.keys(tools),
      called: called.content[0].text,
      resource: read.contents[0].text,
      prompt: prompt.messages[0].content.text,
    };
  },
  async langchain() {
    const client = new MultiServerMCPClient({ mcpServers: { gateway: { transport: "http", url, headers } } });
    const tools = await client.getTools();
    const called = await tools.find((tool) => tool.name.endsWith(ECHO)).invoke({ text: "hi" });
    const { gateway } = await client.listResources();
    const read = await client.readResource("gateway", gateway[0].uri);
    await client.close();
    return { tools: tools.map((tool) => tool.name), called, resource: read[0].text };
  },
  async mastra() {
    const servers = { gateway: { url: new URL(url), requestInit: { headers } } };
    const client = new MastraClient({ servers });
    const tools = await client.listTools();
    const called = await tools[`gateway_${ECHO}`].execute({ text: "hi" }, {});
    const { gateway } = await client.resources.list();
    const read = await client.resources.read("gateway", gateway[0].uri);
    await client.disconnect();
    return {
      tools: Object.keys(tools).map((tool) => tool.replace("gateway_", "")),
      called: called.content?.[0]?.text ?? JSON.stringify(called),
      resource: read.contents[0].text,
    };
  },
};

console.log(JSON.stringify(await CLIENTS[name]()));
process.exit(0);
