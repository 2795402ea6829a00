/** Times in the person's own time zone, and in UTC for comparing with logs of other machines. */

const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const MINUTE = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const COMPLETE = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "long" });

/** Dates beyond this cannot be formatted. */
const LAST_DATE = 8.64e15;

export const isTime = (at: number): boolean => Number.isFinite(at) && Math.abs(at) <= LAST_DATE;

/** The time of today, or the day and the time. */
export function shortTime(at: number, now: number = Date.now()): string {
  if (!isTime(at)) return "unknown";
  return startOfDay(at) === startOfDay(now) ? TIME.format(at) : DAY_AND_TIME.format(at);
}

export const minuteOf = (at: number): string => (isTime(at) ? MINUTE.format(at) : "unknown");
export const dayOf = (at: number): string => (isTime(at) ? DAY.format(at) : "unknown");
export const completeTime = (at: number): string => (isTime(at) ? COMPLETE.format(at) : "unknown");
export const utcTime = (at: number): string =>
  isTime(at) ? `${new Date(at).toISOString().replace("T", " ").replace("Z", "")} UTC` : "unknown";

export function startOfDay(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** `5 min ago`, `just now`. */
export function ago(at: number, now: number = Date.now()): string {
  const seconds = Math.round((now - at) / 1_000);
  if (seconds < 10) return "just now";
  if (seconds < 90) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}
