import { createHost } from "plugboard";
import { serveHttp } from "plugboard/testing";

const server = await serveHttp({
  name: "weather",
  version: "1.0.0",
  tools: {
    forecast: {
      description: "Tomorrow's weather.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      run: ({ city }) => `It will rain in ${city}.`,
    },
  },
});
const host = await createHost({ discover: false, servers: { weather: { type: "http", url: server.url } } });
try {
  const [tool] = await host.tools();
  const answer = await tool.execute({ city: "Bergen" });
  console.log(tool.name, "→", answer.text);
} finally {
  await host.close();
  await server.close();
}
