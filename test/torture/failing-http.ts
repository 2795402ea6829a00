import type { Http, HttpFailure, HttpResponse } from "../../src/platform/index.ts";
import { type Fate, failure } from "./fate.ts";

/** The network: no connection, no response, or a partial one. */
export function failingHttp(real: Http, fate: Fate): Http {
  return {
    close: () => real.close(),
    async request(request) {
      const what = `${request.method} ${request.url.pathname}`;
      if (fate.isDue(`http.request ${what}`, "http")) throw fate.pick([hungUp, unreachable, lost])();
      return cutInTheMiddle(await real.request(request), what, fate);
    },
  };
}

function cutInTheMiddle(response: HttpResponse, what: string, fate: Fate): HttpResponse {
  return {
    status: response.status,
    headers: response.headers,
    cancel: () => response.cancel(),
    read(onData, onEnd) {
      if (!fate.isDue(`http.read ${what}`, "http")) {
        response.read(onData, onEnd);
        return;
      }
      let isOver = false;
      const cut = (): void => {
        if (isOver) return;
        isOver = true;
        response.cancel();
        onEnd(new Error("the connection was cut"));
      };
      response.read((chunk) => {
        if (isOver) return;
        void onData(chunk.slice(0, chunk.length / 2));
        cut();
      }, cut);
    },
  };
}

const requestFailure = (code: string, facts: Pick<HttpFailure, "sent" | "reused">): HttpFailure =>
  Object.assign(failure(code, "http.request"), facts);
const hungUp = (): HttpFailure => requestFailure("ECONNRESET", { sent: true, reused: false });
const unreachable = (): HttpFailure => requestFailure("ECONNREFUSED", { sent: false, reused: false });
const lost = (): HttpFailure => requestFailure("ECONNRESET", { sent: true, reused: true });
