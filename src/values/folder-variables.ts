/**
 * Variables for folders and the user name. Their values are visible in prompts and paths anyway, and messages need
 * them to tell which file they are about. The values of all other variables are masked.
 */
const FOLDER_VARIABLES: ReadonlySet<string> = new Set(
  `HOME USER LOGNAME PWD OLDPWD TMPDIR TMP TEMP PATH SHELL
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_BIN_HOME XDG_RUNTIME_DIR
  USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PUBLIC ONEDRIVE
  PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT WINDIR
  CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA CLAUDE_CONFIG_DIR CODEX_HOME
  GEMINI_PROJECT_DIR PLUGIN_ROOT PLUGIN_DATA PLUGBOARD_HOME`.split(/\s+/),
);

/** Returns whether a variable's value may be displayed. On Windows, variable names are case-insensitive. */
export function isFolderVariable(name: string, platform: string): boolean {
  return FOLDER_VARIABLES.has(platform === "win32" ? name.toUpperCase() : name);
}
