import { createHost } from "plugboard";

const host = await createHost({
  discover: false,
  servers: { asking: { command: "node", args: ["asking-server.mjs"] } },
  onElicitation(request) {
    console.log(`${request.server} asks: ${request.message}`);
    if (request.mode === "url") return { action: "decline" };
    for (const { name, kind, required } of request.fields)
      console.log(`  ${name} (${kind}${required ? ", required" : ""})`);
    return { action: "accept", content: { name: "Ann" } }; // omitted fields get their defaults
  },
  onSampling: ({ messages }) => ({
    content: { type: "text", text: `${messages.length} read` },
    model: "none",
  }),
  roots: [{ uri: "file:///home/me/project", name: "project" }],
});
try {
  console.log((await host.call("asking", "form")).text);
} finally {
  await host.close();
}
