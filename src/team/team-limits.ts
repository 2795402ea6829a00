import type { Clock } from "../platform/index.ts";
import { createServerLimits, RateLimit, RequestLimits, type ServerLimits } from "../serving/index.ts";
import type { TeamConfig } from "./team-config.ts";

const MORE_PAGES_PER_SECOND = 10;

/** The limits for the requests of all people. */
export interface TeamLimiters {
  readonly requests: RequestLimits;
  /** The limit of each person's requests, which `requests` uses. */
  readonly rate: RateLimit;
  readonly servers: ServerLimits;
  anonymous(): RateLimit;
  pages(): RateLimit;
  /** The limit for pages on which no secret can be guessed. */
  morePages(): RateLimit;
  /** Applies changed settings, and another number of gateways. */
  configure(): void;
}

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Creates the limits that all people share. */
export function createLimits(config: () => TeamConfig, clock: Clock, nodes: () => number): TeamLimiters {
  const { limits } = config();
  /** The share of a limit that this gateway may use, because requests arrive at all gateways. */
  const share = (perSecond: number, burst: number): Rate => ({
    perSecond: perSecond / nodes(),
    burst: Math.max(1, Math.ceil(burst / nodes())),
  });
  const ofPeople = (): Rate => share(config().limits.requestsPerSecond, config().limits.burst);
  const ofUnknown = (): Rate =>
    share(config().limits.anonymousPerSecond, config().limits.anonymousPerSecond * 4);
  const ofPages = (): Rate => share(config().limits.pagesPerMinute / 60, config().limits.pagesPerMinute);
  const rate = new RateLimit(ofPeople(), clock);
  const anonymous = new RateLimit(ofUnknown(), clock);
  const pages = new RateLimit(ofPages(), clock);
  const morePages = new RateLimit(
    { perSecond: MORE_PAGES_PER_SECOND, burst: MORE_PAGES_PER_SECOND * 10 },
    clock,
  );
  return {
    requests: new RequestLimits(
      { requests: limits.concurrentInAll, requestsPerClient: limits.concurrent, queue: limits.queue },
      rate,
    ),
    rate,
    servers: createServerLimits((server) => {
      const places = config().terms.get(server)?.maxConcurrent ?? config().limits.concurrentPerServer;
      return { places, perKey: Math.max(1, Math.ceil(places / 2)), queue: config().limits.queue };
    }),
    anonymous: () => anonymous,
    pages: () => pages,
    morePages: () => morePages,
    configure() {
      rate.configure(ofPeople());
      anonymous.configure(ofUnknown());
      pages.configure(ofPages());
    },
  };
}
