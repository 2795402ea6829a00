/**
 * Prints every export of the built package, and every member of an exported interface or class, that has no doc comment where an
 * editor looks for it. Prints the number of checked declarations first.
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const ts = require("../consumers/typescript-5/node_modules/typescript");
const root = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = require("../../package.json");
const entries = Object.values(exports).flatMap(({ types }) => (types ? [resolve(root, types)] : []));
const program = ts.createProgram(entries, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noEmit: true,
  skipLibCheck: true,
  types: [],
});
const checker = program.getTypeChecker();
const checked = new Set();
const undocumented = [];

function check(symbol, name) {
  if (checked.has(symbol)) return;
  checked.add(symbol);
  if (symbol.getDocumentationComment(checker).length === 0) undocumented.push(name);
}

for (const entry of entries) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    check(symbol, symbol.name);
    for (const declaration of symbol.declarations ?? []) membersOf(declaration).forEach(checkMember, symbol);
  }
}
console.log(checked.size);
for (const name of undocumented) console.log(name);

/** The alternatives of a union are described by the comment of the union. */
function membersOf(declaration) {
  if (!declaration.getSourceFile().fileName.startsWith(resolve(root, "dist"))) return [];
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
    return declaration.members;
  if (!ts.isTypeAliasDeclaration(declaration)) return [];
  const parts = ts.isIntersectionTypeNode(declaration.type) ? declaration.type.types : [declaration.type];
  return parts.filter(ts.isTypeLiteralNode).flatMap(({ members }) => members);
}

function checkMember(member) {
  const isPrivate = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
  if (member.name === undefined || ts.isPrivateIdentifier(member.name) || isPrivate) return;
  check(checker.getSymbolAtLocation(member.name), `${this.name}.${member.name.getText()}`);
}
