import type { ModelProvider } from "./model-providers.ts";

const PATIENCE_MS = 2_000;
const MOST = 200;
const MOST_BYTES = 4 * 1024 * 1024;
/** Names that can be typed and shown. */
const USABLE = /^[a-z0-9][\w.:/@+-]{0,199}$/i;

export interface ModelListRequest {
  readonly provider: Pick<ModelProvider, "speaks">;
  /** Default: the provider's public address. */
  readonly baseURL: string | undefined;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal | undefined;
}

type Speaks = ModelProvider["speaks"];

const PUBLIC_ADDRESSES: Readonly<Partial<Record<Speaks, string>>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/** Returns the models that a provider lists, or an empty list if it does not respond. */
export async function listModels({
  provider: { speaks },
  baseURL = PUBLIC_ADDRESSES[speaks],
  key,
  fetch: send,
  signal,
}: ModelListRequest): Promise<string[]> {
  if (baseURL === undefined) return [];
  try {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const response = await send(`${baseURL}/models`, {
      redirect: "error",
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      headers: keyHeaders(speaks, key),
    });
    if (!response.ok) return [];
    return namesIn(JSON.parse(await readText(response)))
      .filter((name) => USABLE.test(name))
      .slice(0, MOST);
  } catch {
    return []; // unreachable, or an unexpected response
  }
}

function keyHeaders(speaks: Speaks, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  switch (speaks) {
    case "anthropic":
      return { "x-api-key": key, "anthropic-version": "2023-06-01" };
    case "google":
      return { "x-goog-api-key": key };
    default:
      return { authorization: `Bearer ${key}` };
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MOST_BYTES) throw new Error("the list of models is too long");
  }
  return text;
}

/** Reads `{ data: [{ id }] }`, or Google's `{ models: [{ name: "models/…" }] }`. */
function namesIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  const { data, models } = body as { readonly data?: unknown; readonly models?: unknown };
  const items: unknown[] = Array.isArray(data) ? data : Array.isArray(models) ? models : [];
  return items.flatMap((item) => {
    if (typeof item !== "object" || item === null) return [];
    const { id, name } = item as { readonly id?: unknown; readonly name?: unknown };
    const found = typeof id === "string" ? id : name;
    return typeof found === "string" ? [found.replace(/^models\//, "")] : [];
  });
}
