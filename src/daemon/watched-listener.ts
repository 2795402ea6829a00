import { type Clock, elapsed, type HttpListener } from "../platform/index.ts";

/** An HTTP listener that knows whether it is used. */
export interface WatchedListener extends HttpListener {
  /** How long no request was open, in milliseconds. 0 while one is. */
  unusedMs(): number;
}

/** Watches a listener, so that it can be closed when no client uses it. */
export function watchListener(listener: HttpListener, clock: Clock): WatchedListener {
  let open = 0;
  let usedAt = elapsed(clock);
  return {
    unusedMs: () => (open > 0 ? 0 : elapsed(clock) - usedAt),
    listen: (address, handle) =>
      listener.listen(address, (request, response) => {
        open += 1;
        response.onClose(() => {
          open -= 1;
          usedAt = elapsed(clock);
        });
        handle(request, response);
      }),
  };
}
