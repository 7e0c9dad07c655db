extension ShellHooks {
  /// The script for fish. It measures the time of stopped jobs itself, since `CMD_DURATION` does not count the time of
  /// `fg`.
  static let fishScript = #"""
    # Run `reddot hooks fish | source`.
    if status is-interactive
      set -g _reddot_groups
      function _reddot_tell
        test "$argv[3]" -ge @SECONDS@000 2>/dev/null; or return 0
        set -l took (math --scale=0 "$argv[3] / 1000")
        begin
          printf '%s' "$argv[1]" | @RECORD@ --status $argv[2] --seconds $took >/dev/null 2>&1
        end &
        disown 2>/dev/null
        return 0
      end
      # The groups of the jobs that are stopped; in English.
      function _reddot_stopped
        jobs -q 2>/dev/null; or return 0
        begin
          set -lx LC_ALL C
          jobs 2>/dev/null
        end | string replace -rf '^\s*\d+\s+(\d+)\s.*?\sstopped\s.*' '$1'
      end
      # Tells of a job that was stopped when it has ended, after fg or bg.
      function _reddot_follow -a group took line
        set -g -a _reddot_groups $group
        function _reddot_job_$group --on-process-exit $group -V group -V took -V line
          set -l ended $argv[3]
          set -l since _reddot_since_$group
          set -q $since; or set -g $since (command date +%s)
          set -l now (command date +%s)
          _reddot_tell "$line" $ended (math "$took + 1000 * ($now - $$since)")
          set -e $since
          if set -l place (contains -i -- $group $_reddot_groups)
            set -e _reddot_groups[$place]
          end
          functions -e _reddot_job_$group
        end
      end
      function _reddot_preexec --on-event fish_preexec
        set -q _reddot_groups[1]; or return 0
        for group in (_reddot_stopped)
          contains -- $group $_reddot_groups; and set -g _reddot_since_$group (command date +%s)
        end
        return 0
      end
      function _reddot_postexec --on-event fish_postexec
        set -l result $status
        set -l took $CMD_DURATION
        for group in (_reddot_stopped)
          contains -- $group $_reddot_groups; and continue
          _reddot_follow $group $took "$argv[1]"
          return 0
        end
        _reddot_tell "$argv[1]" $result $took
        return 0
      end
    end

    """#
}
