// @ts-check
import { createHost } from "plugboard";

const host = await createHost();
const { structured } = await host.call("files", "read_text_file", { path: "README.md" });
console.log(structured?.content);
await host.close();
