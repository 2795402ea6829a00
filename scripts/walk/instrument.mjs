import { relative, sep } from "node:path";
import { parseAst } from "rolldown/parseAst";

/**
 * A Vite plugin that reports every function call in `src/` to `globalThis.walk`. Generators and constructors are left as they are,
 * because their bodies cannot be moved into a function of their own.
 */
export function instrument(root) {
  return {
    name: "walk",
    enforce: "pre",
    transform(code, id) {
      const file = relative(root, id).split(sep).join("/");
      if (!/^src\/.*\.ts$/.test(file)) return undefined;
      const edits = [];
      visit(parseAst(code, { lang: "ts" }), undefined, (node, parent) => {
        if (!isPlainFunction(node, parent)) return;
        const asyncWord = node.async ? "async " : "";
        const call = `globalThis.walk(${JSON.stringify(file)}, ${asyncWord}() =>`;
        if (node.body.type === "BlockStatement") {
          if (node.body.body.length === 0) return;
          edits.push([node.body.start + 1, ` return ${call} {`], [node.body.end - 1, "}); "]);
        } else {
          edits.push([node.body.start, `${call} (`], [node.body.end, "))"]);
        }
      });
      edits.sort(([left], [right]) => right - left);
      let text = code;
      for (const [at, insert] of edits) text = text.slice(0, at) + insert + text.slice(at);
      return { code: text, map: null };
    },
  };
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function isPlainFunction(node, parent) {
  if (!FUNCTIONS.has(node.type) || node.generator || !node.body) return false;
  // A type guard (`value is T`, `asserts …`) has to keep its body for the compiler only; at run time it is a plain function.
  return (
    !(parent?.type === "MethodDefinition" && parent.kind !== "method") &&
    !(parent?.type === "Property" && parent.kind !== "init")
  );
}

function visit(node, parent, found) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const item of node) visit(item, parent, found);
    return;
  }
  if (typeof node.type !== "string") return;
  found(node, parent);
  for (const [key, value] of Object.entries(node))
    if (key !== "parent" && typeof value === "object") visit(value, node, found);
}
