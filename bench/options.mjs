import { parseArgs } from "node:util";

/** The benchmark was called in a way it does not understand. */
export class UsageError extends Error {}

/** Reads the words after `npm run bench --`; throws `UsageError`. `partNames` is what `--only` may say; those `onRequest` run when it does. */
export function readOptions(words, partNames, onRequest) {
  const { values } = parse(words);
  const usual = partNames.filter((name) => !onRequest.includes(name));
  const only = values.only ?? usual;
  const unknown = only.find((name) => !partNames.includes(name));
  if (unknown !== undefined) throw new UsageError(`No part "${unknown}": ${partNames.join(", ")}`);
  if (values.samples !== undefined && !/^[1-9]\d*$/.test(values.samples)) {
    throw new UsageError(`--samples takes a whole number from 1, not "${values.samples}"`);
  }
  const isPartial = usual.some((name) => only.includes(name)) && usual.some((name) => !only.includes(name));
  if (values.write && isPartial) throw new UsageError("--write needs all parts: one document, one run");
  return { ...values, only, samples: values.samples === undefined ? undefined : Number(values.samples) };
}

/** What `--help` prints. */
export function describeUsage(partNames, onRequest) {
  return `Usage: npm run bench -- [options]

  --only <part>   ${partNames.join(", ")}; may be given more than once;
                  without it, all but ${onRequest.join(", ")}
  --samples <n>   rounds per part
  --quick         three rounds of fewer calls
  --json <file>   write every sample to a file
  --write         put the tables into docs/performance.md, those of scale into docs/scale.md
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
