/**
 * The script that each shell runs at Tab. It calls the program, which prints one suggestion per line: a word, a tab and
 * a note. The last word passed is the one under the cursor, or empty for a new word. Words are passed and printed
 * without quotes. zsh and fish quote the inserted word themselves; the bash script quotes it.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", string>> = {
  bash: `_plugboard() {
  local word
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v word %q "\${word%%$'\\t'*}"
    COMPREPLY+=("$word")
    [[ $word == *= ]] && compopt -o nospace
  done < <(plugboard completion -- "\${words[@]//\\\\/}" 2>/dev/null)
}
complete -o default -F _plugboard plugboard
`,
  zsh: `#compdef plugboard
_plugboard() {
  local -a found open
  local word note
  while IFS=$'\\t' read -r word note; do
    if [[ $word == *= ]]; then open+=("\${word//:/\\\\:}:\${note}")
    else found+=("\${word//:/\\\\:}:\${note}"); fi
  done < <(plugboard completion -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( \${#open} )) && _describe -V plugboard open -S ''
  _describe -V plugboard found || (( \${#open} )) || _files
}
compdef _plugboard plugboard
`,
  fish: `function __plugboard_complete
  set -l words (commandline -opc) (commandline -ct)
  plugboard completion -- $words[2..] 2>/dev/null
end
complete -c plugboard -a '(__plugboard_complete)'
`,
};
