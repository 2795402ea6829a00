import type { Document, DocumentFormat } from "./document.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Parses a text in the given format. Parsers other than JSON are loaded on first use. `isLimited` is for project files:
 * it rejects YAML that would keep the full parser busy.
 */
export async function parseText(text: string, format: DocumentFormat, isLimited = false): Promise<Document> {
  switch (format) {
    case "json":
      return parseJson(text);
    case "toml": {
      const { parseToml } = await import("./parse-toml.lazy.ts");
      return parseToml(text);
    }
    case "yaml": {
      const { parsePlainYaml } = await import("./plain-yaml.lazy.ts");
      const plain = parsePlainYaml(text);
      if (plain !== undefined) return plain;
      const { parseProjectYaml, parseYaml } = await import("./parse-yaml.lazy.ts");
      return isLimited ? parseProjectYaml(text) : parseYaml(text);
    }
  }
}
