import { stem } from "./search-words.ts";

/** Words that stand for the same thing where tools are concerned. */
const GROUPS = `
create add new make insert open register provision generate
delete remove erase drop destroy discard trash purge
update edit modify change alter patch set revise rename
read fetch retrieve load view show display see open inspect
list enumerate all browse index
search find query lookup locate discover grep look
write save store put persist dump
send post submit publish deliver dispatch share
email mail message letter inbox
message chat dm notify notification text ping
channel room conversation thread
file document doc attachment blob
folder directory dir path
repository repo project codebase
commit revision changeset
branch ref head
merge combine join integrate
pull pr request review
issue ticket bug task defect story
task todo reminder job item
comment note reply remark annotate
user person member account people contact colleague
team group organization org workspace
calendar schedule agenda event meeting appointment booking
date time day clock when
website web page site url link internet online
browse navigate visit open goto
click press tap select
screenshot capture snapshot picture image photo
image picture photo graphic drawing
video clip movie recording
audio sound voice speech music song
database db sql table schema
query select statement
row record entry
run execute invoke launch start trigger
stop halt kill terminate cancel abort end
deploy release ship rollout publish
build compile
test check verify validate
log trace history audit
error exception failure crash bug problem
metric stat statistic measure monitor usage
dashboard chart graph plot visualize
alert alarm incident page
weather forecast temperature rain climate
map place location address route direction
distance far travel
money price cost payment pay charge invoice bill
customer client buyer
order purchase buy
product item catalog
translate language convert
convert transform change format
summarize summary digest
count number total sum many
calculate compute math add arithmetic
memory remember recall store knowledge
entity node
relation edge link
copy duplicate clone fork
move rename transfer relocate
download fetch export get
upload import attach
permission access role grant share
secret password credential token key
container docker pod image
cluster kubernetes k8s node
server machine instance vm host
function lambda
bucket s3 storage
page document wiki article
sheet spreadsheet excel table cell
slide presentation deck
branch switch checkout
difference diff compare change
version release tag
stock share quote market
crypto coin bitcoin
flight plane airline
hotel stay accommodation
news headline article story
tweet post status
like favorite star upvote
follow subscribe watch
`;

let table: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Other words for the same, by their stems. */
export function synonymsOf(word: string): ReadonlySet<string> {
  table ??= readTable();
  return table.get(word) ?? new Set();
}

function readTable(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split("\n")) {
    const stems = line.split(" ").map(stem);
    for (const word of stems) {
      const known = found.get(word) ?? new Set<string>();
      for (const other of stems) if (other !== word) known.add(other);
      found.set(word, known);
    }
  }
  return found;
}
