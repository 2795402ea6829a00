import { readFileSync } from "node:fs";

const SUFFIX = "?raw";

/** Makes a file that is imported with `?raw` a module whose default export is its text, as Vite does for the tests. */
export function rawText() {
  return {
    name: "raw-text",
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return undefined;
      const resolved = await this.resolve(source.slice(0, -SUFFIX.length), importer, { skipSelf: true });
      return resolved && `${resolved.id}${SUFFIX}`;
    },
    load(id) {
      if (!id.endsWith(SUFFIX)) return undefined;
      const text = readFileSync(id.slice(0, -SUFFIX.length), "utf8");
      return { code: `export default ${JSON.stringify(text)};`, moduleType: "js" };
    },
  };
}
