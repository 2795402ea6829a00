import type { ElicitationRequest, SamplingRequest } from "../../model/index.ts";
import type { InteractionOptions } from "../people.ts";
import type { Workspace } from "../workspace.ts";
import { isWrapped, wrapCall } from "./wrap-call.ts";

/** Lets requests from servers pass the program's middleware before a handler answers them. */
export function wrapHandlers(workspace: () => Workspace, given: InteractionOptions): InteractionOptions {
  const { onElicitation, onSampling } = given;
  return {
    ...given,
    ...(onElicitation && {
      onElicitation(request, context) {
        if (!isWrapped(workspace())) return onElicitation(request, context);
        return wrapCall(workspace(), {
          kind: "elicitation",
          server: request.server,
          tool: "elicitation/create",
          context,
          check: async () => request,
          make: async (changed) => onElicitation(withChanges(request, changed?.args), context),
        });
      },
    }),
    ...(onSampling && {
      onSampling(request, context) {
        if (!isWrapped(workspace())) return onSampling(request, context);
        return wrapCall(workspace(), {
          kind: "sampling",
          server: request.server,
          tool: "sampling/createMessage",
          context,
          check: async () => request,
          make: async (changed) => onSampling(withChanges(request, changed?.args), context),
        });
      },
    }),
  };
}

/** A middleware cannot change which server sent the request, or to whom. */
function withChanges<Request extends ElicitationRequest | SamplingRequest>(
  request: Request,
  changed: object | undefined,
): Request {
  const { server, principal } = request;
  return { ...request, ...changed, server, ...(principal !== undefined && { principal }) };
}
