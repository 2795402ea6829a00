const UV_VALUES =
  /^(?:--from|--directory|--project|--extra|--no-extra|--group|--no-group|--only-group|--env-file|--with|-w|--with-editable|--with-requirements|--package|-p|--python|--index|--default-index|-i|--index-url|--extra-index-url|-f|--find-links|-P|--upgrade-package|--reinstall-package|--index-strategy|--keyring-provider|--resolution|--prerelease|--fork-strategy|--exclude-newer|--link-mode|-C|--config-setting|--no-build-package|--no-binary-package|--refresh-package|--cache-dir|--python-preference|--color|--allow-insecure-host|--config-file)$/;

/** Returns the options of uv itself, before the program that it runs. */
export function uvOptions(words: readonly string[]): string[] {
  return words.slice(0, uvTarget(words)).filter((word) => word.startsWith("-") && word !== "--");
}

/** Returns the index of the program that uv runs. */
export function uvTarget(words: readonly string[]): number {
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return index + 1;
    if (!word.startsWith("-") && word !== "run" && word !== "tool") break;
    if (UV_VALUES.test(word)) index += 1;
  }
  return index;
}

/** Replaces uv's option `-m x` with `python -m x`, because only the latter can exclude modules in the working folder. */
export function expandModule(line: readonly string[], run: number): string[] {
  const options = line.slice(run + 1);
  const at = options.slice(0, uvTarget(options)).findIndex((word) => word === "-m" || word === "--module");
  return at === -1 ? [...line] : line.toSpliced(run + 1 + at, 1, "python", "-m");
}
