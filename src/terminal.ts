/** Text functions for programs that show servers' names, messages and problems to people. */
export {
  describePlace,
  looksSecret,
  nearest,
  safeJson,
  safeLine,
  safeText,
  truncate,
} from "./model/index.ts";
