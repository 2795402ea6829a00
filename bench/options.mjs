import { parseArgs } from "node:util";

/** The arguments of the benchmark are not valid. */
export class UsageError extends Error {}

/** Parses the arguments after `npm run bench --`. Throws `UsageError`. Parts in `onRequest` run only with `--only`. */
export function readOptions(words, partNames, onRequest) {
  const { values } = parse(words);
  const usual = partNames.filter((name) => !onRequest.includes(name));
  const only = values.only ?? usual;
  const unknown = only.find((name) => !partNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown part "${unknown}". Choose from: ${partNames.join(", ")}`);
  if (values.samples !== undefined && !/^[1-9]\d*$/.test(values.samples)) {
    throw new UsageError(`--samples must be a positive integer, not "${values.samples}"`);
  }
  const isPartial = usual.some((name) => only.includes(name)) && usual.some((name) => !only.includes(name));
  if (values.write && isPartial)
    throw new UsageError("--write requires all parts, because a document must come from one run");
  return { ...values, only, samples: values.samples === undefined ? undefined : Number(values.samples) };
}

/** Returns the text of `--help`. */
export function describeUsage(partNames, onRequest) {
  return `Usage: npm run bench -- [options]

  --only <part>   ${partNames.join(", ")}; repeatable;
                  default: all but ${onRequest.join(", ")}
  --samples <n>   number of rounds per part
  --quick         three rounds with fewer calls
  --json <file>   write every sample to a file
  --write         write the tables to docs/performance.md, or to the part's own page in docs
`;
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: "string", multiple: true },
        samples: { type: "string" },
        quick: { type: "boolean", default: false },
        json: { type: "string" },
        write: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}
