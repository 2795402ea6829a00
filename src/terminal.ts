/** Text functions for programs that show servers' names, messages and problems to people. */
export {
  describePlace,
  looksSecret,
  nearest,
  quoteForShell,
  safeJson,
  safeLine,
  safeText,
  shellWord,
  truncate,
} from "./model/index.ts";
