/** Calls every host method that could make it access a server, and prints all output. */
import { createHost } from "../../dist/index.js";

const said = [];
const note = async (work) => {
  try {
    said.push(await work());
  } catch (error) {
    said.push({ code: error.code, message: error.message, hint: error.hint });
  }
};
const host = await createHost();
host.subscribe((event) => said.push(event));
await note(() => host.connectAll());
await note(() => host.tools({ waitMs: Infinity }));
await note(() => host.session({ mode: "meta" }).tools({ waitMs: Infinity }));
await note(() => host.search("read a file"));
for (const { name } of host.servers()) {
  await note(() => host.connect(name));
  await note(() => host.tools(name));
  await note(() => host.call(name, "read", { path: "x" }));
  await note(() => host.doctor.test(name));
  await note(() => host.approvals.request(name));
  await note(() => host.config.explain(name));
}
await note(() => host.reload());
said.push(host.servers({ all: true }), host.snapshot());
await host.close();
console.log(JSON.stringify(said));
