import { stem } from "./search-words.ts";

/**
 * What a tool calls it, and after the colon what people say. Two words joined by a hyphen are one expression.
 * The words before the colon stand for each other, those after it for the words before it.
 */
const GROUPS = `
create add new: make insert open register provision generate start begin set-up file report write compose draft raise log jot propose
delete remove: erase drop destroy discard trash purge clear wipe rid get-rid forget throw throw-away eliminate unlink take-away kill clean
clean: leftover junk tidy sweep unwanted cruft
update edit: modify change alter patch set revise rename adjust correct fix amend rewrite tweak replace put
read retrieve fetch: load view show display see open inspect look look-at print tell peek examine check out download bring copy pull
list: enumerate every everything browse index overview which show display inside contents available everybody everyone people
search find: query lookup look-up locate discover grep look hunt google seek filter wildcard match
write: save store put persist dump record keep document
edit: replace substitute
send post: submit publish deliver dispatch share announce tell write announcement say broadcast
push: publish send upload upstream deliver hand hand-over
pull fetch: bring bring-in upstream sync download refresh
message chat: dm notify notification text ping email mail letter announcement post conversation team chat line
email mail: message letter inbox
channel: room conversation group chat
history log: past earlier recent lately recently previous said happened ago audit trail timeline
thread: conversation discussion topic
reply: answer respond react
reaction emoji: thumbs thumb like smiley heart upvote
note comment: remark annotation reply feedback answer opinion
profile user: person account bio
user member: person people account colleague coworker teammate contact everybody everyone who staff belongs employee customer
team group organization: workspace org company department crew squad
file document: doc text attachment content data
directory folder: dir path location
info detail stat metadata: size big large old age date how-big length properties facts about
size: big large bytes small smaller space
compress gzip: smaller zip shrink pack archive squeeze reduce
move: rename transfer relocate shift pull
drag: pull slide shift move
copy duplicate clone fork: replicate mirror copies own
repository project: repo codebase code sources
clone: download checkout machine
fork: duplicate copy own
commit: revision changeset version snapshot record save checkpoint
branch: line-of development ref head lines variant
checkout switch: jump change go different other
branch checkout: development line
merge: combine join integrate unite unify
rebase: replay
reset revert undo: back previous latest restore roll-back rollback
stash: aside put-aside shelve unfinished later park
tag label: mark release version sticker name
release version tag: ship
status: state touched recorded uncommitted pending dirty condition okay health
diff difference: compare comparison changed between versions revisions delta
blame: author wrote responsible whom
merge: pull-request
pull: merge-request
request: proposal propose inclusion contribution proposed modification
multiple: several many at-once together simultaneously
review approve: okay consent agree accept sign-off permit confirm ok bless
issue: ticket bug defect story problem report incident complaint
task todo item: reminder job chore errand to-do remember
complete close: finish done tick tick-off resolve check-off
milestone: goal sprint deadline target
pipeline: build ci workflow run
job: build step run
build: compile ci pipeline
retry rerun: restart again repeat broken redo
cancel stop: halt kill terminate abort end quit interrupt
output log trace: print printed said say show stdout console
test: check verify validate suite spec checks
lint validate: check correct syntax verify
flaky: unreliable unstable intermittent
deploy release: ship rollout publish online live host launch
rollout: back previous version before undo rollback
maintenance: repairs downtime offline off
environment: stage staging production
label: tag category
calendar event: schedule agenda meeting appointment booking
schedule: nightly every recurring cron regularly periodically timer
date time: day clock when now today hour
navigate: visit browse go open goto website site url surf
page: website web site webpage tab url
web: internet online website net world
back: return earlier previous
tab page: window
click: press tap push button hit touch
type: enter write text input
fill form: questionnaire enter complete input survey application fields
select option: choose pick dropdown menu entry
screenshot: capture picture image photo snapshot print screen look
snapshot: capture picture
screencast: film record movie video recording
evaluate script javascript: execute run code snippet program
execute run: launch start invoke perform evaluate trigger
network request: call traffic fetch http backend api xhr calls
console: log print error
dialog: popup pop-up modal alert prompt window
performance trace: slow speed fast lag sluggish loading profile
heap memory: ram leak consumption
lighthouse audit: quality slow seo accessibility
accessibility: blind a11y
emulate: simulate pretend mobile phone
resize: bigger smaller larger dimension
upload: attach import send
image: picture photo graphic drawing illustration
video: clip movie film recording footage record
audio: sound voice speech music song
news: headline headlines press journalism happening current
summary summarizer: digest short gist tldr overview brief
place: restaurant shop store somewhere nearby venue cafe eat spot location hotel bar near
local place: nearby around eat restaurant near
direction: drive route way path walk navigate navigation travel trip go
distance: far away long travel drive miles kilometers
elevation: high height altitude tall
geocode address: street latitude longitude gps position where coordinate house
reverse geocode: gps position street
coordinate: latitude longitude gps position
weather forecast: temperature rain climate sunny
database: db sql storage
collection table: dataset
row record document: entry line item
insert: put add
count: number total many how-many amount
index: speed fast lookup lookups faster
schema: structure columns fields shape
query: select ask question statement
aggregate: group summarize total statistics
drop: wipe
metric statistic: measure monitor usage numbers
dashboard chart graph: plot visualize diagram
error: exception failure crash bug problem wrong
alert alarm: incident
money price payment: cost pay charge invoice bill fee subscription
customer client: buyer
company contact deal object: buyer crm client lead business customers
order purchase: buy shop
product: item article goods
translate: language
convert: transform change format turn
sum: plus add addition total calculate compute math arithmetic together
calculate: compute math arithmetic figure
echo: repeat parrot
entity node: person thing concept memory fact someone remember
observation: fact remember note know
create entity: remember memorize
relation: connect link associate relate relationship edge connection between
graph knowledge: memory remember know brain recall
search node: remember recall know
permission access: role grant rights allowed allow
protect: lock guard forbid secure
secret: password credential token key
container pod: docker workload service running
pod: container service
kubernetes cluster: k8s
scale: more copies replicas bigger grow resize instances
kubectl: cluster service container pod
server instance: machine vm host computer
process: program app application running
kill terminate: end stop quit
app: program application service
function: lambda code
bucket: s3 storage
page document: wiki article note
notion: wiki notes
page: wiki article entry
block: paragraph section text
self whoami: me myself account logged am who identity
sheet spreadsheet: excel cell
slide presentation: deck powerpoint
documentation docs: manual guide reference handbook tutorial howto help api explain learn
library: framework package module sdk dependency software
environment-variables env: settings
crawl extract scrape: website site content words
star favorite: like
follow subscribe: watch
stock: quote market share
crypto: coin bitcoin
flight: plane airline
hotel: stay accommodation
`;

/** What people say for a tool's word; two words of tools for the same; two of people. */
const [SAID, ALIKE, SIBLING] = [0.75, 0.6, 0.25];

let table: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
const NONE: ReadonlyMap<string, number> = new Map();

/** Other words for the same, by their stems, and how much they count. An expression is given as two stems with a space. */
export function synonymsOf(words: string): ReadonlyMap<string, number> {
  table ??= readTable();
  return table.get(words) ?? NONE;
}

function readTable(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const relate = (from: string, to: string, weight: number): void => {
    if (from === to) return;
    const known = found.get(from) ?? new Map<string, number>();
    known.set(to, Math.max(known.get(to) ?? 0, weight));
    found.set(from, known);
  };
  for (const line of GROUPS.trim().split("\n")) {
    const [named = [], said = []] = line.split(":").map(stemsOf);
    for (const name of named) {
      for (const other of named) relate(name, other, ALIKE);
      for (const word of said) {
        relate(word, name, SAID);
        relate(name, word, SIBLING);
      }
    }
    for (const word of said) for (const other of said) relate(word, other, SIBLING);
  }
  return found;
}

function stemsOf(words: string): string[] {
  return words
    .trim()
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.split("-").map(stem).join(" "));
}
