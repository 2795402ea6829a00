type Offers = typeof import("./resources-and-prompts/index.ts");

/** Most runs call tools only: what the rest takes is loaded when it is asked for. */
export async function withOffers<T>(use: (offers: Offers) => Promise<T>): Promise<T> {
  return use(await import("./resources-and-prompts/index.ts"));
}
