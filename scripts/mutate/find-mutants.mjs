/** Finds all small changes to a source file that change its behaviour. The mutators are those of StrykerJS. */
import { parseAst } from "rolldown/parseAst";

const SWAPPED = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};

const ASSIGNED = { "+=": "-=", "-=": "+=", "*=": "/=", "&&=": "||=", "||=": "&&=", "??=": "&&=" };

const METHODS = {
  endsWith: "startsWith",
  startsWith: "endsWith",
  some: "every",
  every: "some",
  toLowerCase: "toUpperCase",
  toUpperCase: "toLowerCase",
  trimEnd: "trimStart",
  trimStart: "trimEnd",
  min: "max",
  max: "min",
};

/** Method calls that a mutant removes, keeping the receiver. */
const REMOVED_CALLS = new Set([
  "filter",
  "slice",
  "sort",
  "reverse",
  "toReversed",
  "trim",
  "charAt",
  "substring",
]);

/** Nodes with types or module paths. Changing them does not change behaviour. */
const SKIPPED = /^(?:TS(?!NonNull|As|Satisfies)|Import|ExportAll)/;

/** Returns the mutants of one file in source order: `{ file, start, end, text, mutator }`. */
export function findMutants(file, source) {
  const mutants = [];
  const add = (mutator, { start, end }, texts) => {
    for (const text of [texts].flat()) {
      if (source.slice(start, end) !== text) mutants.push({ file, start, end, text, mutator });
    }
  };
  const textOf = ({ start, end }) => source.slice(start, end);
  visit(parseAst(source, { lang: "ts" }), undefined, undefined, (node, parent, key) => {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression": {
        const { left, right, operator } = node;
        const swapped = SWAPPED[operator];
        if (swapped === undefined || (operator === "+" && (isText(left) || isText(right)))) break;
        for (const other of [swapped].flat())
          add("operator", node, `((${textOf(left)}) ${other} (${textOf(right)}))`);
        if (/[<>=]/.test(operator) || isCondition(node, parent, key))
          add("condition", node, ["true", "false"]);
        break;
      }
      case "IfStatement":
        if (!/^(?:Binary|Logical)/.test(node.test.type)) add("condition", node.test, ["true", "false"]);
        break;
      case "ConditionalExpression":
        if (!/^(?:Binary|Logical)/.test(node.test.type)) add("condition", node.test, ["true", "false"]);
        break;
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
        if (node.test) add("condition", node.test, "false");
        break;
      case "UnaryExpression":
        if (node.operator === "!") add("boolean", node, `(${textOf(node.argument)})`);
        if (node.operator === "-") add("operator", node, `+${textOf(node.argument)}`);
        break;
      case "UpdateExpression": {
        const operator = node.operator === "++" ? "--" : "++";
        const argument = textOf(node.argument);
        add("operator", node, node.prefix ? `${operator}${argument}` : `${argument}${operator}`);
        break;
      }
      case "AssignmentExpression":
        if (ASSIGNED[node.operator] !== undefined)
          add("operator", node, `${textOf(node.left)} ${ASSIGNED[node.operator]} ${textOf(node.right)}`);
        break;
      case "Literal":
        if (typeof node.value === "boolean") add("boolean", node, String(!node.value));
        if (typeof node.value === "string" && isValue(parent, key))
          add("string", node, node.value === "" ? '"mutated"' : '""');
        break;
      case "TemplateLiteral":
        if (parent?.type !== "TaggedTemplateExpression") add("string", node, "``");
        break;
      case "ArrayExpression":
        add("array", node, node.elements.length === 0 ? '["mutated"]' : "[]");
        break;
      case "ObjectExpression":
        if (node.properties.length > 0) add("object", node, "({})");
        break;
      case "BlockStatement":
        if (node.body.length > 0 && !isConstructor(parent)) add("block", node, "{}");
        break;
      case "ArrowFunctionExpression":
        if (node.body.type !== "BlockStatement") add("function", node.body, "undefined");
        break;
      case "MemberExpression":
        if (node.optional) {
          const between = source.slice(node.object.end, node.property.start);
          add(
            "optional",
            { start: node.object.end, end: node.property.start },
            between.replace("?.", node.computed ? "" : "."),
          );
        }
        break;
      case "CallExpression": {
        const { callee } = node;
        if (node.optional) {
          const rest = source.slice(callee.end, node.end);
          add("optional", { start: callee.end, end: node.end }, rest.replace("?.", ""));
        }
        if (callee.type !== "MemberExpression" || callee.computed) break;
        const { name } = callee.property;
        if (Object.hasOwn(METHODS, name)) add("method", callee.property, METHODS[name]);
        else if (REMOVED_CALLS.has(name)) {
          // The position of a receiver in parentheses does not include the closing one.
          const dot = source.slice(callee.object.end, callee.property.start).search(/\??\./);
          add("method", { start: callee.object.end + dot, end: node.end }, "");
        }
        break;
      }
    }
  });
  return mutants;
}

function visit(node, parent, key, see) {
  if (SKIPPED.test(node.type)) return;
  see(node, parent, key);
  for (const [name, child] of Object.entries(node)) {
    if (name === "typeAnnotation" || name === "typeArguments" || name === "returnType") continue;
    for (const item of Array.isArray(child) ? child : [child])
      if (item !== null && typeof item === "object" && typeof item.type === "string")
        visit(item, node, name, see);
  }
}

const isText = ({ type, value }) => type === "TemplateLiteral" || typeof value === "string";

/** Returns whether an `&&` or `||` is used as a condition. */
function isCondition(node, parent, key) {
  return key === "test" && node.operator !== "??" && parent !== undefined;
}

/** Returns whether a string is used as a value, not as a member name, module path or directive. */
function isValue(parent, key) {
  if (parent === undefined || /^(?:Import|Export)/.test(parent.type)) return false;
  if (parent.type === "ExpressionStatement") return false;
  return !(key === "key" && parent.type === "Property" && !parent.computed);
}

const isConstructor = (parent) => parent?.type === "FunctionExpression" && parent.kind === "constructor";
