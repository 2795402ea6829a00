/** The suite imports `globSync`, which Node has from version 22 on; none of what runs here calls it. */
import { register } from "node:module";

const withGlob = `
export * from "node:fs";
export { default } from "node:fs";
export const globSync = () => { throw new Error("globSync needs Node 22"); };
`;

const hook = `
export async function resolve(specifier, context, next) {
  const isTheirs = context.parentURL?.includes("/@modelcontextprotocol/conformance/");
  if (specifier !== "fs" || !isTheirs) return next(specifier, context);
  return { url: ${JSON.stringify(asModule(withGlob))}, shortCircuit: true };
}
`;

register(asModule(hook));

function asModule(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
