import type { QuestionHandlers } from "../../model/index.ts";
import type { ClientIdentity } from "./era.ts";

/** Returns the client capabilities for the handlers that are set. */
export function announcedCapabilities({
  onElicitation,
  onSampling,
  roots,
}: QuestionHandlers): ClientIdentity["capabilities"] {
  const both = {
    ...(onElicitation && { elicitation: { form: {}, url: {} } }),
    ...(onSampling && { sampling: { tools: {} } }),
  };
  return {
    legacy: { ...both, ...(roots && { roots: { listChanged: true } }) },
    modern: { ...both, ...(roots && { roots: {} }), extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
}
