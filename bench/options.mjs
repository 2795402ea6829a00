import { parseArgs } from "node:util";

/** The benchmark was called in a way it does not understand. */
export class UsageError extends Error {}

/** Reads the words after `npm run bench --`; throws `UsageError`. `partNames` is what `--only` may say. */
export function readOptions(words, partNames) {
  const { values } = parse(words);
  const only = values.only ?? partNames;
  const unknown = only.find((name) => !partNames.includes(name));
  if (unknown !== undefined) throw new UsageError(`No part "${unknown}": ${partNames.join(", ")}`);
  if (values.samples !== undefined && !/^[1-9]\d*$/.test(values.samples)) {
    throw new UsageError(`--samples takes a whole number from 1, not "${values.samples}"`);
  }
  if (values.write && partNames.some((name) => !only.includes(name))) {
    throw new UsageError("--write needs all parts: one document, one run");
  }
  return { ...values, only, samples: values.samples === undefined ? undefined : Number(values.samples) };
}

/** What `--help` prints. */
export function describeUsage(partNames) {
  return `Usage: npm run bench -- [options]

  --only <part>   ${partNames.join(", ")}; may be given more than once
  --samples <n>   rounds per part
  --quick         three rounds of fewer calls
  --json <file>   write every sample to a file
  --write         put the tables into docs/performance.md
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
