import { readFileSync } from "node:fs";
import { join } from "node:path";
import { declarationsFolder } from "./compile-declarations.ts";

/** An exported symbol in the compiler's declarations. */
export interface Declaration {
  readonly name: string;
  readonly file: string;
  /** Without `export` and `declare`, with the comments of members. */
  readonly text: string;
  /** The doc comment, as one paragraph. */
  readonly doc: string;
}

/** The declarations in a file, and its re-exports. */
interface DeclarationFile {
  /** The comment before the first statement, if that is an import or a re-export. */
  readonly doc: string;
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Names from other files, imported or re-exported. */
  readonly elsewhere: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  readonly exported: readonly string[];
}

const files = new Map<string, DeclarationFile>();

/** Reads the output of `tsc`: statements start in the first column and end with a `;` or `}` outside all brackets. */
export function readDeclarations(file: string): DeclarationFile {
  const known = files.get(file);
  if (known !== undefined) return known;
  const declared = new Map<string, Declaration>();
  const elsewhere = new Map<string, { file: string; name: string }>();
  const exported: string[] = [];
  let about = "";
  const found = statements(readFileSync(join(declarationsFolder(), file), "utf8"));
  for (const [index, { text, doc }] of found.entries()) {
    const passed = /^(import|export)(?: type)? \{([^}]*)\} from "(\.[^"]+)";$/.exec(text);
    if (passed !== null) {
      const [, word, names = "", from = ""] = passed;
      if (index === 0) about = doc;
      for (const part of names
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean)) {
        const [name = "", as = name] = part.replace(/^type /, "").split(" as ");
        elsewhere.set(as, { file: join(file, "..", from.replace(/\.ts$/, ".d.ts")), name });
        if (word === "export") exported.push(as);
      }
      continue;
    }
    const named = /^(export )?(?:declare )?(?:abstract )?(?:function|interface|type|class|const) (\w+)/.exec(
      text,
    );
    const [, isExported, name] = named ?? [];
    if (name === undefined) continue;
    const bare = text.replace(/^export /, "").replace(/^declare /, "");
    const before = declared.get(name);
    declared.set(name, {
      name,
      file,
      text: before === undefined ? bare : `${before.text}\n${bare}`,
      doc: before?.doc || doc,
    });
    if (isExported !== undefined && before === undefined) exported.push(name);
  }
  const read = { doc: about, declared, elsewhere, exported };
  files.set(file, read);
  return read;
}

/** Returns the declaration of a name in a file, following imports. Returns `undefined` for built-in and package types. */
export function findDeclaration(file: string, name: string): Declaration | undefined {
  const { declared, elsewhere } = readDeclarations(file);
  const further = elsewhere.get(name);
  return declared.get(name) ?? (further && findDeclaration(further.file, further.name));
}

/** Returns our own declarations that a declaration refers to. */
export function namedBy({ name, file, text }: Declaration): Declaration[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/"[^"]*"/g, "");
  const names = new Set(code.match(/\b[A-Z]\w+\b/g) ?? []);
  names.delete(name);
  return [...names].flatMap((other) => findDeclaration(file, other) ?? []);
}

function statements(source: string): { readonly text: string; readonly doc: string }[] {
  const found: { text: string; doc: string }[] = [];
  let doc = "";
  let lines: string[] = [];
  for (const line of source.split("\n")) {
    lines.push(line);
    const text = lines.join("\n").trim();
    if (text === "") lines = [];
    else if (/^\/\*[\s\S]*\*\/$/.test(text) && !text.slice(2, -2).includes("*/")) {
      doc = asParagraph(text);
      lines = [];
    } else if (isWhole(text)) {
      found.push({ text, doc });
      [doc, lines] = ["", []];
    }
  }
  return found;
}

function isWhole(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const depth = (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;
  if (depth !== 0) return false;
  return (
    code.endsWith(";") ||
    (code.endsWith("}") && /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class)\b/.test(code))
  );
}

function asParagraph(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, "").trim())
    .join(" ")
    .trim();
}
