import type { JsonObject, ServerDeclaration, Tier } from "../model/index.ts";
import { toDeclaration } from "./discover.ts";
import { withProjectFolders } from "./project-folders.ts";
import type { SourceDocument, Where } from "./provider.ts";
import { codexToolloop } from "./providers/codex-toolloop.ts";

/** Declares the servers of an already parsed ToolLoop config, with the same reader that is used for the file. */
export function declareToolloop(
  config: JsonObject,
  { file, tier }: { readonly file: string; readonly tier: Tier },
  where: Where,
): ServerDeclaration[] {
  const source: SourceDocument = {
    file,
    scope: tier === "project" ? "project" : "user",
    tier,
    role: undefined,
    document: { value: config, problems: [], at: () => undefined },
    value: config,
    text: "{}",
  };
  const { entries } = withProjectFolders(codexToolloop.read([source], where), where, codexToolloop.id);
  return entries.map((entry) => toDeclaration(codexToolloop.id, entry, []));
}
