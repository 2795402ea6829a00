/** Loads the operations on resources and prompts when they are first used, because most runs only call tools. */
export async function withOffers<T>(
  use: (offers: typeof import("./offers.lazy.ts")) => Promise<T>,
): Promise<T> {
  return use(await import("./offers.lazy.ts"));
}
