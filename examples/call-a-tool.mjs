import { createHost } from "plugboard";

const host = await createHost({ cwd: process.cwd() });
try {
  for (const tool of await host.tools({ waitMs: 30_000 })) console.log(tool.name, "-", tool.description);
  const result = await host.call("files", "read_text_file", { path: "README.md" });
  console.log(result.text);
} finally {
  await host.close();
}
