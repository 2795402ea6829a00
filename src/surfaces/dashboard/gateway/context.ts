import { type Context, createContext, type Provider } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { PageRight, PageSession } from "../../../page-api.ts";
import type { Live, LiveState } from "./live.ts";

/** The state and functions that every page uses. */
export interface Gateway {
  readonly session: PageSession;
  readonly live: Live;
  /** Announces a message to screen readers, and shows it for a moment. */
  announce(message: string): void;
}

const GatewayContext: Context<Gateway | undefined> = createContext<Gateway | undefined>(undefined);

export const GatewayProvider: Provider<Gateway | undefined> = GatewayContext.Provider;

export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext);
  if (gateway === undefined) throw new Error("No GatewayProvider");
  return gateway;
}

export function useLive(): LiveState {
  const { live } = useGateway();
  const [state, setState] = useState(live.state());
  useEffect(() => {
    setState(live.state());
    return live.subscribe(() => setState(live.state()));
  }, [live]);
  return state;
}

/** Whether the person may do this. */
export function useRight(right: PageRight): boolean {
  return useGateway().session.rights.includes(right);
}
