import { isFolderList } from "../platform/index.ts";

/** Families of variables that make a program load or run something else than what was started. */
const STEERING = new RegExp(
  `^(?:${[
    // The system: loaders, shells, where programs look for settings
    "LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|XDG_.*",
    "SHELL|BASH_.*|SHELLOPTS|BASHOPTS|ZDOTDIR|FPATH|PROMPT_COMMAND|PS4|IFS|COMSPEC|PATHEXT|SYSTEMROOT|WINDIR",
    "EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|.*_ASKPASS|OPENSSL_(?:CONF|MODULES|ENGINES)|GTK_MODULES|GIO_.*",
    // Interpreters
    "NODE_(?:OPTIONS|PATH|REPL_.*|COMPILE_CACHE|ICU_DATA)|BUN_.*|DENO_.*|TSX_.*|TS_NODE_.*|ELECTRON_.*|RUBY.*|GEM_.*|BUNDLE_.*|PERL.*|LUA_.*|PHP.*",
    "PYTHON(?!UNBUFFERED$|IOENCODING$|UTF8$|DONTWRITEBYTECODE$|HASHSEED$).*|JULIA_.*|ERL_.*|ELIXIR_.*|TCL.*|CLASSPATH",
    "R_(?:HOME|LIBS.*|PROFILE.*|ENVIRON.*)|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|JAVA_(?:HOME|OPTS)|JRE_HOME|MAVEN_.*|GRADLE_.*",
    "DOTNET_(?:STARTUP_HOOKS|ROOT.*|ADDITIONAL_DEPS|SHARED_STORE|GC(?:NAME|PATH)|BUNDLE_.*)|COMPLUS_.*|CORECLR_.*|COR_.*",
    // Package runners, version managers and build tools
    "NPM_CONFIG_.*|YARN_.*|PNPM_.*|COREPACK_.*|UV_.*|PIP_.*|PIPX_.*|POETRY_.*|PDM_.*|CONDA_.*|VIRTUAL_ENV|CARGO_.*|RUSTUP_.*|RUSTC.*",
    "VOLTA_.*|NVM_.*|FNM_.*|PYENV_.*|RBENV_.*|ASDF_.*|MISE_.*|GO(?:PATH|ROOT|BIN|ENV|FLAGS|PROXY|TOOLCHAIN)|CC|CXX|MAKEFLAGS",
    // Programs that run what a setting names
    "GIT_(?:SSH.*|EXEC_PATH|CONFIG.*|.*EDITOR|PAGER|DIR|WORK_TREE|COMMON_DIR|TEMPLATE_DIR|PROXY_COMMAND|EXTERNAL_DIFF)",
    "DOCKER_(?:HOST|CONFIG|CONTEXT)|KUBECONFIG|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE)|.*_EXECUTABLE(?:_PATH)?",
  ].join("|")})$`,
  "i",
);

/** Would a variable of this name change which code runs? No list of names is complete: it is a second defence. */
export function steersPrograms(name: string): boolean {
  return STEERING.test(name) || isFolderList(name, "win32");
}
