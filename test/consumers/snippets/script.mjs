const NUMBER = { type: "number" };
const add = {
  description: "Adds two numbers",
  inputSchema: { type: "object", properties: { a: NUMBER, b: NUMBER }, required: ["a", "b"] },
  run: ({ a, b }) => String(a + b),
};
const read = { description: "Reads", run: () => "read" };
const remove = { description: "Removes", run: () => "removed" };

/** The server of all snippets: three tools, in every protocol revision. */
export const script = { name: "demo", version: "1", tools: { add, read, remove } };
