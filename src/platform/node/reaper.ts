import { type ChildProcess, spawn } from "node:child_process";
import { ownMark, retireServerMark } from "./marked-processes.ts";
import { ownPath } from "./own-program.ts";
import { PS_COLUMNS, PS_ENVIRONMENT } from "./process-table.ts";

/**
 * Waits for the end of its input, which comes when this process ends, however it ends. Its lines are the mark, then
 * each time the processes that are followed (id:start time). At the end of the input it ends all marked and followed processes and
 * their descendants: a moment for the servers to see the end of their own input, SIGTERM, SIGKILL. "over" and the mark of the
 * servers say that nothing is left to end; it looks once more, and kills what it finds. A process is signalled only if it still
 * has its start time, so that an id that was given to another process is never hit; one that leads a group stands for the whole
 * group. A process that keeps starting another and ends is outrun: each that has the mark is killed as it is found, for up to
 * 30 seconds. The ids that come next are read again and again meanwhile, because that takes less time than to start another
 * process. The mark is not an argument, because `ps` shows those.
 */
export const REAPER_SCRIPT: string = `
read -r mark || exit 0
known=
over=
while read -r line; do
  case $line in
    "over "*) over=1 mark=\${line#over } known= ; break ;;
    *) known=$line ;;
  esac
done
[ -n "$mark" ] || exit 0
facts() {
  stat=
  read -r stat <"/proc/$1/stat" && [ -n "$stat" ] || return 1
  set -- "$1" \${stat##*) }
  state=$2 parent=$3 start=\${21}
  [ "$state" != Z ] && return 0
  set -- "/proc/$1/task"/*
  [ $# -gt 1 ]
}
look_in_proc() {
  for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    facts "$pid" && known="$known $pid:$start"
  done
  queue=$known
  known=
  while [ -n "$queue" ]; do
    set -- $queue
    entry=$1 pid=\${1%%:*}
    shift
    queue=$*
    case " $known " in *" $entry "*) continue ;; esac
    children=
    for file in "/proc/$pid/task"/*/children; do
      line=
      read -r line <"$file"
      for child in $line; do
        facts "$child" && [ "$parent" = "$pid" ] && children="$children $child:$start"
      done
    done
    if facts "$pid" && [ "$pid:$start" = "$entry" ]; then
      known="$known $entry"
      queue="$queue$children"
    fi
  done
}
marked_by_ps() {
  { ps -AEww -o pid= -o command= || ps -axeww -o pid= -o command=; } |
    while read -r pid command; do
      case $command in *"$mark"*) echo "$pid" ;; esac
    done
}
look_with_ps() {
  marked=$(marked_by_ps)
  known=$(${Object.entries(PS_ENVIRONMENT)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")} ps -axo ${PS_COLUMNS} | awk -v known="$known" -v marked="$(echo $marked)" '
    BEGIN {
      split(known, list, " "); for (i in list) is_known[list[i]]
      split(marked, list, " "); for (i in list) is_marked[list[i]]
    }
    $3 !~ /^Z/ {
      entry[$1] = $1 ":" $4 "_" $5 "_" $6 "_" $7 "_" $8
      parent[$1] = $2
      if ($1 in is_marked || entry[$1] in is_known) ours[$1]
    }
    END {
      do {
        more = 0
        for (pid in parent) if (!(pid in ours) && parent[pid] in ours) { ours[pid]; more = 1 }
      } while (more)
      for (pid in ours) printf " %s", entry[pid]
    }')
}
look() {
  if [ -r /proc/self/environ ]; then look_in_proc; else look_with_ps; fi
}
signal() {
  look
  for entry in $known; do
    pid=\${entry%%:*}
    kill -s "$1" -- "-$pid" && [ "$1" != KILL ] || kill -s "$1" "$pid"
  done
}
gone() {
  for turn in $1; do
    look
    [ -z "$known" ] && return 0
    sleep 0.1 || sleep 1
  done
}
kill_each() {
  found=1
  while read -r pid; do
    pid=\${pid#/proc/}
    pid=\${pid%/environ}
    kill -s KILL -- "-$pid"
    kill -s KILL "$pid"
    found=0
  done
  return $found
}
kill_marked_in_proc() {
  read -r last last last last last </proc/loadavg
  next= pid=$((last - 2))
  while [ $pid -lt $((last + 30)) ]; do
    next="$next /proc/$pid/environ"
    pid=$((pid + 1))
  done
  next="$next $next $next $next $next $next $next $next"
  grep -lsF $buffered -e "$mark" $next $next /proc/[0-9]*/environ $next $next | kill_each
}
kill_marked() {
  if [ -r /proc/self/environ ]; then kill_marked_in_proc; else marked_by_ps | kill_each; fi
}
buffered=--line-buffered
echo x | grep -qs $buffered x || buffered=
if [ -n "$over" ]; then
  kill_marked || exit 0
else
  gone "1 2"
  signal TERM
  gone "1 2 3 4 5 6 7 8"
fi
until=$(($(date +%s) + 30))
empty=0 turns="1 2 3 4 5"
[ -r /proc/self/environ ] || turns=1
while [ $empty -lt 5 ] && [ "$(date +%s)" -lt "$until" ]; do
  signal KILL
  empty=$((empty + 1))
  [ -n "$known" ] && empty=0
  for turn in $turns; do kill_marked && empty=0; done
  [ $empty -gt 0 ] && { sleep 0.1 || sleep 1; }
done
`;

/** A reaper that is ended again and again is not started more often. */
const SHORTEST_LIFE_MS = 1_000;

let reaper: ChildProcess | undefined;
let isWanted = false;
let told = "";

/** Sees to it that no server outlives this process, not even when it is killed. Costs no Node, and holds nobody up. */
export function startReaper(): void {
  isWanted = true;
  if (reaper !== undefined) return;
  const child = spawn("/bin/sh", ["-c", REAPER_SCRIPT, "plugboard-reaper"], {
    cwd: "/",
    // None of our own environment: it may outlive this process, and carries nothing of it.
    env: { PATH: ownPath() },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper = child;
  const startedAt = performance.now();
  const lost = (): void => {
    if (reaper !== child) return;
    reaper = undefined;
    const restMs = startedAt + SHORTEST_LIFE_MS - performance.now();
    setTimeout(() => isWanted && startReaper(), Math.max(restMs, 0)).unref();
  };
  child.once("error", lost).once("exit", lost);
  child.unref();
  const { stdin }: Partial<Pick<ChildProcess, "stdin">> = child;
  if (!stdin) return; // too many open files: tried again a moment later
  stdin.on("error", () => {});
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  stdin.write(told === "" ? `${ownMark()}\n` : `${ownMark()}\n${told}\n`);
}

/** Replaces the list of followed processes. A reaper that does not read is not told more and more. */
export function tellReaper(followed: string): void {
  const input = reaper?.stdin;
  if (followed === told || !input?.writable || input.writableLength > 0) return;
  told = followed;
  input.write(`${followed}\n`);
}

/** Nothing that was started is left, as far as this process knows. */
export function stopReaper(): void {
  isWanted = false;
  told = "";
  reaper?.stdin?.end(`over ${retireServerMark()}\n`);
  reaper = undefined;
}
