import type { Document } from "./document.ts";

export type DocumentFormat = "json" | "toml" | "yaml";

/** Parses a text by its format. A parser is loaded when the first file of its kind turns up. */
export async function parseText(text: string, format: DocumentFormat): Promise<Document> {
  switch (format) {
    case "json": {
      const { parseJson } = await import("./parse-json.ts");
      return parseJson(text);
    }
    case "toml": {
      const { parseToml } = await import("./parse-toml.ts");
      return parseToml(text);
    }
    case "yaml": {
      const { parseYaml } = await import("./parse-yaml.ts");
      return parseYaml(text);
    }
  }
}
