import type { DiscoveryProvider } from "../provider.ts";
import { native } from "./native.ts";
import { rootMcpJson } from "./root-mcp-json.ts";

/** Every product whose files are read, highest priority first. */
export const PROVIDERS: readonly DiscoveryProvider[] = [native, rootMcpJson];
