import type { Driver } from "../../adapters/scenarios/driver.ts";

/** What the table says about Mastra. Loads no package of it, because that needs another Node. */
export const mastraFacts: Omit<Driver, "run"> = { name: "Mastra", asks: "sdk", follows: "next run" };
