/** The launcher with the function that finds the home folder, which the library has too. */
export function launcherText(): Promise<string>;
