import type { Document } from "./document.ts";
import { parseJson } from "./parse-json.ts";

export type DocumentFormat = "json" | "toml" | "yaml";

/** Parses a text by its format. Parsers other than JSON are loaded when the first file of their kind turns up. */
export async function parseText(text: string, format: DocumentFormat): Promise<Document> {
  switch (format) {
    case "json":
      return parseJson(text);
    case "toml": {
      const { parseToml } = await import("./parse-toml.ts");
      return parseToml(text);
    }
    case "yaml": {
      const { parsePlainYaml } = await import("./plain-yaml.ts");
      const plain = parsePlainYaml(text);
      if (plain !== undefined) return plain;
      const { parseYaml } = await import("./parse-yaml.ts");
      return parseYaml(text);
    }
  }
}
