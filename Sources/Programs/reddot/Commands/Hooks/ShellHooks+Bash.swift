extension ShellHooks {
  /// The script for bash. PS0 is expanded after a command was read and before it runs (bash 4.4). The arithmetic in it
  /// sets a variable, and the expansion is empty. The number of the command in the history shows whether the last line
  /// there is this command; if it is not, `BASH_COMMAND` has the last command that ran.
  static let bashScript = #"""
    # reddot: eval "$(reddot hooks bash)"
    if [[ $- == *i* ]] && ((BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4))); then
      _reddot_none='' _reddot_start='' _reddot_bang='\!' _reddot_number='' _reddot_ran='' _reddot_before=''
      # Microseconds: the variables that count seconds are the user's.
      _reddot_clock='${EPOCHREALTIME//[!0-9]/}'
      ((BASH_VERSINFO[0] > 4)) || _reddot_clock='\D{%s}000000'
      # Of the jobs that were stopped, by their number.
      declare -a _reddot_pids=() _reddot_lines=() _reddot_lasts=() _reddot_flags=() _reddot_times=() _reddot_since=()
      _reddot_tell() {
        (($5 < @SECONDS@000000)) && return 0
        (builtin printf '%s\0%s' "$1" "$2" | @RECORD@ $3 ${4:+--status=$4} --seconds "$(($5 / 1000000))" >/dev/null 2>&1 &)
        return 0
      }
      _reddot_ended() {
        local status=$1 now=$2 took=$3 IFS=$' \t\n' line='' last=${_reddot_ran#* } flag='' number stopped='' running=''
        if ((took >= @SECONDS@000000)) || ((status > 128)) || ((${#_reddot_pids[@]})); then
          line=$(HISTTIMEFORMAT='' builtin history 1)
          if [[ $line =~ ^[[:space:]]*[0-9]+\*?[[:space:]]+(.*)$ ]]; then line=${BASH_REMATCH[1]}; else line=''; fi
          if [[ -z $line || ${_reddot_bang@P} == "$_reddot_number" ]]; then
            flag='--unsure'
            [[ $_reddot_ran == '1 '* ]] || flag+=' --piped'
            # A subshell leaves the command of the line before it.
            [[ $last != "${_reddot_before#* }" || $line == *"$last" ]] || last=''
          fi
          stopped=$'\n'$(builtin jobs -s 2>/dev/null)
          running=$'\n'$(builtin jobs -r 2>/dev/null)
        fi
        for number in ${_reddot_pids[@]+"${!_reddot_pids[@]}"}; do
          if [[ $running == *$'\n'"[$number]"* ]]; then
            : "${_reddot_since[number]:=$now}"
          elif [[ $stopped == *$'\n'"[$number]"* ]]; then
            [[ -z ${_reddot_since[number]-} ]] || ((_reddot_times[number] += now - _reddot_since[number], 1))
            _reddot_since[number]=''
          else
            local end=$status time=$took
            if [[ -n ${_reddot_since[number]-} ]]; then
              time=$((now - _reddot_since[number]))
              builtin wait "${_reddot_pids[number]}" 2>/dev/null
              end=$?
              # The shell has forgotten it.
              ((end != 127)) || end=''
            else
              took=0
            fi
            _reddot_tell "${_reddot_lines[number]}" "${_reddot_lasts[number]}" "${_reddot_flags[number]}" "$end" "$((_reddot_times[number] + time))"
            unset "_reddot_pids[$number]" "_reddot_since[$number]"
          fi
        done
        if ((status > 128)) && [[ $(builtin kill -l "$status" 2>/dev/null) =~ ^(SIG)?(TSTP|STOP|TTIN|TTOU)$ ]] &&
          [[ $stopped =~ $'\n'\[([0-9]+)\]\+ ]]; then
          number=${BASH_REMATCH[1]}
          if [[ -n ${_reddot_pids[number]-} ]]; then
            ((_reddot_times[number] += took, 1))
          else
            _reddot_pids[number]=$(builtin jobs -p %+) _reddot_since[number]='' _reddot_times[number]=$took
            _reddot_lines[number]=$line _reddot_lasts[number]=$last _reddot_flags[number]=$flag
          fi
        else
          _reddot_tell "$line" "$last" "$flag" "$status" "$took"
        fi
        return 0
      }
      _reddot_prompt() {
        local status=$?
        if [[ -n $_reddot_start ]] || ((${#_reddot_pids[@]})); then
          local now=${_reddot_clock@P}
          local took=$((_reddot_start ? now - _reddot_start : 0))
          _reddot_start=''
          # What came before this entry has another command.
          [[ ${PROMPT_COMMAND-} == 'for _reddot_ran in '* ]] || _reddot_ran=''
          _reddot_ended "$status" "$now" "$took" || :
        fi
        _reddot_before=$_reddot_ran
        _reddot_number="${_reddot_bang@P}"
        # With `set -e` a status would end the shell.
        [[ $- == *e* ]] && return 0
        return "$status"
      }
      if [[ ${PS0-} != *_reddot_start* ]]; then
        PS0="${PS0-}"'${_reddot_none:$((_reddot_start=${_reddot_clock@P},0)):0}'
      fi
      if [[ ${PROMPT_COMMAND[*]-} != *_reddot_prompt* ]]; then
        # The words of a loop are expanded before it counts as the last command.
        PROMPT_COMMAND='for _reddot_ran in "${#PIPESTATUS[@]} $BASH_COMMAND"; do _reddot_prompt; done'"${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}"
      fi
    fi

    """#
}
