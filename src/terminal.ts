/** Text functions for programs that show servers' names, messages and problems to people. */
export {
  formatPosition,
  looksSecret,
  nearest,
  safeJson,
  safeLine,
  safeText,
  truncate,
} from "./model/index.ts";
