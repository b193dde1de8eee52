/// The scripts that enable completion in shells. Each script passes the typed words to `liveedit completions --at`. The
/// reply contains the kind of file whose names can be suggested, and a line for each suggested word, with the word's
/// explanation after a tab.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  /// The text of the script for this shell.
  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  /// bash also splits words at “=” and “:”, and expects completions for the last part only.
  private static let bashText = #"""
    # Completes command lines of liveedit in bash.
    _liveedit() {
      local words=() at=0 glued="" index word line names candidate
      for ((index = 1; index < ${#COMP_WORDS[@]}; index++)); do
        word=${COMP_WORDS[index]}
        # Quotation marks and backslashes are the shell's.
        case $word in
          \'*) word=${word#\'} word=${word%\'} ;;
          \"*) word=${word#\"} word=${word%\"} ;;
          *) word=${word//\\/} ;;
        esac
        if [[ ${#words[@]} -gt 0 && ($word == [=:] || $glued) && ${words[-1]} == --* ]]; then
          words[-1]+=$word
        else
          words+=("$word")
        fi
        [[ $word == [=:] ]] && glued=yes || glued=""
        ((index == COMP_CWORD)) && at=$((${#words[@]} - 1))
      done
      local current=${words[at]} head=""
      [[ $current == --*=* ]] && head=${current%%=*}=
      COMPREPLY=()
      {
        read -r names
        while IFS=$'\t' read -r candidate line; do
          candidate=${candidate#"$head"}
          # Unquoted candidates are escaped.
          [[ ${COMP_WORDS[COMP_CWORD]} != [\'\"]* && $candidate == *[!A-Za-z0-9.,:_-]* ]] &&
            printf -v candidate %q "$candidate"
          COMPREPLY+=("$candidate")
        done
      } < <("$1" completions --at "$at" -- "${words[@]}" 2>/dev/null)
      local typed=${current#"$head"}
      case $names in
        files) compopt -o filenames 2>/dev/null; readarray -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$typed") ;;
        folders) compopt -o filenames 2>/dev/null; readarray -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$typed") ;;
      esac
    }
    complete -F _liveedit liveedit
    """#

  private static let zshText = #"""
    #compdef liveedit
    # Completes command lines of liveedit in zsh.
    _liveedit() {
      local -a typed lines candidates meanings
      local line head
      typed=("${(@Q)words[2,-1]}")
      typed[CURRENT-1]="${(Q)PREFIX}"
      lines=("${(@f)$("${words[1]}" completions --at $((CURRENT - 2)) -- "${typed[@]}" 2>/dev/null)}")
      for line in "${lines[@]:1}"; do
        candidates+=("${line%%$'\t'*}")
        meanings+=("${line/$'\t'/  -- }")
      done
      (( ${#candidates} )) && compadd -l -d meanings -a candidates
      if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
      case ${lines[1]} in
        files) _files ;;
        folders) _files -/ ;;
      esac
    }
    if [[ $funcstack[1] == _liveedit ]]; then _liveedit "$@"; else compdef _liveedit liveedit; fi
    """#

  private static let fishText = #"""
    # Completes command lines of liveedit in fish.
    function __liveedit_words
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        # An open quotation mark is the shell's.
        set -l typed (string replace -r '^[\'"]' '' -- $current)
        $words[1] completions --at (math (count $words) - 1) -- $words[2..-1] "$typed" 2>/dev/null
    end
    function __liveedit_complete
        set -l lines (__liveedit_words)
        printf '%s\n' $lines[2..-1]
        set -l current (commandline -ct)
        set -l head (string match -r '^--[^=]*=' -- $current)
        set -l path (string replace -r '^--[^=]*=' '' -- $current)
        switch $lines[1]
            case files
                __fish_complete_path $path | string replace -r '^' -- "$head"
            case folders
                __fish_complete_directories $path | string replace -r '^' -- "$head"
        end
    end
    complete -c liveedit -f -a '(__liveedit_complete)'
    """#
}
