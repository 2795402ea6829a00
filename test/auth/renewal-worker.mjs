/** Makes one call to the server "notes" for every line it reads, and prints the result. Arguments: url, folder. */
import { createInterface } from "node:readline";
import { createHost } from "../../dist/index.js";

const [url, cwd] = process.argv.slice(2);
const host = await createHost({ cwd, servers: { notes: { type: "http", url } } });
const answer = async () => {
  try {
    const { isError } = await host.call("notes", "echo", { text: "hi" });
    return isError ? "the tool failed" : "ok";
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
};
console.log("ready");
for await (const _ of createInterface({ input: process.stdin })) console.log(await answer());
await host.close();
