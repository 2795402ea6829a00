const PATIENCE_MS = 2_000;
const MOST = 200;

/** Returns the models that a server lists, or an empty list if it does not respond. */
export async function listModels(
  baseURL: string,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<string[]> {
  try {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${baseURL}/models`, {
      redirect: "error",
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
    });
    const body = (await response.json()) as { readonly data?: unknown } | null;
    const items: unknown[] = Array.isArray(body?.data) ? body.data : [];
    return items
      .map((item) => (typeof item === "object" && item !== null && "id" in item ? item.id : undefined))
      .filter((id): id is string => typeof id === "string")
      .slice(0, MOST);
  } catch {
    return []; // unreachable, or an unexpected response
  }
}
