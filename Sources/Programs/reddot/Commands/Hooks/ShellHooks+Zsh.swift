extension ShellHooks {
  /// The script for zsh. Job numbers and states are those of the module zsh/parameter.
  static let zshScript = #"""
    # reddot: eval "$(reddot hooks zsh)"
    if [[ -o interactive ]] && zmodload zsh/datetime 2>/dev/null && zmodload zsh/parameter 2>/dev/null; then
      typeset -g _reddot_start='' _reddot_line=''
      # Of the jobs that were stopped, by their number.
      typeset -gA _reddot_lines _reddot_times _reddot_since _reddot_pids
      _reddot_tell() {
        (($3 >= @SECONDS@)) || return 0
        # An unknown status is empty.
        (builtin print -rn -- "$1" | @RECORD@ ${2:+--status=$2} --seconds ${3%.*} >/dev/null 2>&1 &)
        return 0
      }
      _reddot_preexec() {
        # Without a history the first one is empty.
        _reddot_line=${1:-$3}
        _reddot_start=$EPOCHREALTIME
      }
      _reddot_precmd() {
        local result=$?
        emulate -L zsh
        [[ -n $_reddot_start ]] || ((${#_reddot_lines})) || return 0
        local -F now=$EPOCHREALTIME took time
        ((took = now - ${_reddot_start:-$now}))
        _reddot_start=''
        local number state current='' end
        for number state in "${(@kv)jobstates}"; do
          [[ $state == suspended:+:* ]] && current=$number
        done
        for number in ${(k)_reddot_lines}; do
          state=${jobstates[$number]-}
          case $state in
          running*) [[ -n ${_reddot_since[$number]} ]] || _reddot_since[$number]=$now ;;
          suspended*)
            [[ -n ${_reddot_since[$number]} ]] && ((_reddot_times[$number] += now - _reddot_since[$number]))
            _reddot_since[$number]=''
            ;;
          *)
            end=$result time=$took
            if [[ -n ${_reddot_since[$number]} ]]; then
              ((time = now - _reddot_since[$number]))
              # It is unknown of a job that was in the foreground before.
              wait ${_reddot_pids[$number]} 2>/dev/null
              end=$?
              ((end != 127 && end != 255)) || end=''
            else
              took=0
            fi
            _reddot_tell "${_reddot_lines[$number]}" "$end" $((_reddot_times[$number] + time))
            unset "_reddot_lines[$number]" "_reddot_since[$number]"
            ;;
          esac
        done
        if ((result > 128)) && [[ -n $current && $(kill -l $result 2>/dev/null) == (TSTP|STOP|TTIN|TTOU) ]]; then
          if [[ -n ${_reddot_lines[$current]-} ]]; then
            ((_reddot_times[$current] += took))
          else
            state=${jobstates[$current]#*:*:}
            _reddot_lines[$current]=$_reddot_line _reddot_times[$current]=$took _reddot_since[$current]=''
            _reddot_pids[$current]=${${state##*:}%%=*}
          fi
        else
          _reddot_tell "$_reddot_line" $result $took
        fi
        return 0
      }
      autoload -Uz add-zsh-hook
      add-zsh-hook preexec _reddot_preexec
      add-zsh-hook precmd _reddot_precmd
    fi

    """#
}
