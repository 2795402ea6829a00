/** The server that the installed package is tried with. It is copied beside it, so it runs on what was installed, too. */
import { serveLines } from "plugboard/testing";

const script = {
  name: "small",
  version: "1.0.0",
  tools: {
    add: {
      description: "Adds two numbers.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      run: ({ a, b }) => `The sum is ${a + b}.`,
    },
  },
};

await serveLines(script, process.stdin, process.stdout);
