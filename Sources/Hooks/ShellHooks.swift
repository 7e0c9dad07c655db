import Foundation
import Limits
import Programs
package import Settings

/// What a shell runs at its start: a command that took long, and ended while nobody looked at its pane, is handed over.
///
/// Nothing is started for a short command, and the user's own settings stay: options, traps, prompts, and the status that a
/// prompt shows.
package enum ShellHooks: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// - Parameter program: this program with the options for its files.
  package func script(_ program: [String], _ options: HookOptions) -> String {
    let record = ShellWord.line(program + ["hooks", "record", "command"])
    let seconds = String(Int(options.after.components.seconds))
    let except = options.except.joined(separator: " ")
    let isFull = options.commands == .full ? "1" : ""
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    return text.replacing(
      exactly: "@RECORD@", with: record
    )
    .replacing(exactly: "@SECONDS@", with: seconds).replacing(exactly: "@EXCEPT@", with: except)
    .replacing(exactly: "@FULL@", with: isFull)
  }

  /// PS0 is expanded after a command was read, and before it runs (bash 4.4); the arithmetic in it sets a variable, and the
  /// expansion is empty. The number of the command in the history says whether the last line there is this command.
  private static let bashScript = #"""
    # reddot: eval "$(reddot hooks bash)"
    if [[ $- == *i* ]] && ((BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4))); then
      _reddot_none='' _reddot_start='' _reddot_bang='\!' _reddot_number='' _reddot_full='@FULL@'
      _reddot_except=' @EXCEPT@ '
      _reddot_long() {
        local line='' number="${_reddot_bang@P}" word
        if [[ $number != "$_reddot_number" ]]; then
          line=$(HISTTIMEFORMAT='' builtin history 1)
          [[ $line =~ ^[[:space:]]*[0-9]+\*?[[:space:]]+(.*)$ ]] && line=${BASH_REMATCH[1]}
        fi
        local -a words
        IFS=$' \t\n' read -r -d '' -a words <<<"$line" || :
        word=''
        for word in ${words[@]+"${words[@]}"}; do
          case $word in
          *=* | sudo | env | time | command | exec | nohup | nice | doas | builtin | -*) word='' ;;
          *) break ;;
          esac
        done
        word=${word##*/}
        [[ -n $word && $_reddot_except == *" $word "* ]] && return 0
        [[ -n $_reddot_full ]] && word=$line
        (builtin printf '%s' "${word:-a command}" | @RECORD@ --status "$1" --seconds "$2" >/dev/null 2>&1 &)
        return 0
      }
      _reddot_prompt() {
        local status=$?
        if [[ -n $_reddot_start ]]; then
          local took=$((SECONDS - _reddot_start))
          _reddot_start=''
          ((took < @SECONDS@)) || _reddot_long "$status" "$took" || :
        fi
        _reddot_number="${_reddot_bang@P}"
        # With `set -e` a status would end the shell.
        [[ $- == *e* ]] && return 0
        return "$status"
      }
      if [[ ${PS0-} != *_reddot_start* ]]; then
        PS0="${PS0-}"'${_reddot_none:$((_reddot_start=SECONDS,0)):0}'
      fi
      if [[ ${PROMPT_COMMAND[*]-} != *_reddot_prompt* ]]; then
        PROMPT_COMMAND=_reddot_prompt"${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}"
      fi
    fi

    """#

  private static let zshScript = #"""
    # reddot: eval "$(reddot hooks zsh)"
    if [[ -o interactive ]]; then
      typeset -g _reddot_start='' _reddot_line='' _reddot_full='@FULL@'
      typeset -g _reddot_except=' @EXCEPT@ '
      _reddot_preexec() {
        _reddot_start=$SECONDS
        _reddot_line=$1
      }
      _reddot_precmd() {
        local result=$?
        emulate -L zsh
        [[ -n $_reddot_start ]] || return 0
        local -i took=$((SECONDS - _reddot_start))
        _reddot_start=''
        ((took >= @SECONDS@)) || return 0
        local word=''
        local candidate
        for candidate in ${(z)_reddot_line}; do
          case $candidate in
          *=*|sudo|env|time|command|exec|nohup|nice|doas|builtin|noglob|-*) ;;
          *) word=${candidate:t}; break ;;
          esac
        done
        [[ -n $word && $_reddot_except == *" $word "* ]] && return 0
        [[ -n $_reddot_full ]] && word=$_reddot_line
        (builtin print -rn -- "${word:-a command}" | @RECORD@ --status $result --seconds $took >/dev/null 2>&1 &)
        return 0
      }
      autoload -Uz add-zsh-hook
      add-zsh-hook preexec _reddot_preexec
      add-zsh-hook precmd _reddot_precmd
    fi

    """#

  private static let fishScript = #"""
    # reddot: reddot hooks fish | source
    if status is-interactive
      set -g _reddot_full '@FULL@'
      set -g _reddot_except @EXCEPT@
      function _reddot_postexec --on-event fish_postexec
        set -l result $status
        test "$CMD_DURATION" -ge @SECONDS@000 2>/dev/null; or return 0
        set -l took (math --scale=0 "$CMD_DURATION / 1000")
        set -l word ''
        for candidate in (string split -n ' ' -- (string replace -ra '\s+' ' ' -- "$argv[1]"))
          switch $candidate
            case '*=*' sudo env time command exec nohup nice doas builtin '-*'
            case '*'
              set word (string replace -r '.*/' '' -- $candidate)
              break
          end
        end
        if test -n "$word"; and contains -- $word $_reddot_except
          return 0
        end
        if test -n "$_reddot_full"
          set word "$argv[1]"
        end
        test -n "$word"; or set word 'a command'
        begin
          printf '%s' "$word" | @RECORD@ --status $result --seconds $took >/dev/null 2>&1
        end &
        disown 2>/dev/null
        return 0
      end
    end

    """#
}
