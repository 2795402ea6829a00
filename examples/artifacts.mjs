import { createHost } from "plugboard";

const files = new Map();
const host = await createHost({
  discover: false,
  servers: { camera: { command: "node", args: ["camera-server.mjs"] } },
  artifacts({ content, mimeType }) {
    const id = `file-${files.size + 1}`;
    files.set(id, { content, mimeType }); // or upload it, and return its URL
    return id;
  },
});
try {
  console.log((await host.call("camera", "take_picture")).text);
  for (const [id, { content, mimeType }] of files) console.log(`${id}: ${mimeType}, ${content.length} bytes`);
} finally {
  await host.close();
}
