import Basics
import Foundation

/// The argument parser's completion scripts, changed so that names of sources, folders and lists are data. Publishers
/// choose the names; in the parser's scripts, bash would expand them as its own words, and zsh would cut them at a
/// colon.
enum CompletionScript {
  /// Returns the parser's output with the completions of names replaced.
  ///
  /// - Parameter text: a script, or another output of the parser, which is returned unchanged.
  static func withNamesAsData(_ text: String) -> String {
    if text.hasPrefix("#!/bin/bash\n") {
      return replacing(
        in: text, { #"__reddot_add_completions -W "$(eval '\#($0)')""# }, by: { "__reddot_add_names \($0)" })
        + bash
    }
    let zshHead = "#compdef reddot\n"
    if text.hasPrefix(zshHead) {
      let script = replacing(
        in: text, { #"{local -a list;list=(${(f)"$(\#($0))"});_describe -V "" list}"# },
        by: { "{__reddot_add_names \($0)}" })
      // The insertion is before the end of the script, which calls its functions.
      return zshHead + zsh + script.dropFirst(zshHead.count)
    }
    // fish quotes the lines of a command, except for a tilde at the beginning, which it would expand.
    return replacing(
      in: text, { "(\($0))" }, by: { #"(reddot names \#($0) 2>/dev/null | string match -v "~*")"# })
  }

  /// Returns a completion script in which reddot's own shell calls complete the names of sources, folders and lists,
  /// instead of those of the argument parser.
  ///
  /// - Parameters:
  ///   - call: returns the parser's shell call that offers the output lines of a command.
  ///   - ours: returns reddot's shell call that replaces it for a kind of names.
  private static func replacing(
    in script: String, _ call: (_ command: String) -> String, by ours: (_ kind: String) -> String
  ) -> String {
    Names.Kind.allCases.reduce(script) { $0.replacingBytes(call($1.command), with: ours($1.rawValue)) }
  }

  private static let bash = #"""

    # Offers names, quoted like what was typed. Each line is a name as it stands; compgen -W would expand it.
    __reddot_add_names() {
        # Before the part of the word that is completed stands an open quote, or a part that ends with a character at which
        # readline breaks words.
        local head="${COMP_LINE:0:${COMP_POINT}}"
        head="${head%"${cur}"}"
        head="${head##*[[:space:]]}"
        local quote=''
        if [[ "${head}" == [\'\"] ]]; then
            quote="${head}"
            head=''
        elif [[ "${head}" == *[\'\"\\\$\`]* ]]; then
            return
        fi
        local typed="${cur}"
        # Without -r it takes the backslashes away.
        [[ "${quote}" == \' ]] || IFS='' read typed <<<"${cur}"

        # Names are quoted here already.
        compopt +o filenames
        local name
        while IFS='' read -r name; do
            [[ "${name}" == "${head}${typed}"* ]] || continue
            # Commands would take it for an option.
            [[ "${name}" == -* && " ${COMP_WORDS[*]:0:${COMP_CWORD}} " != *' -- '* ]] && continue
            name="${name#"${head}"}"
            case "${quote}" in
            # readline closes the quotes itself, and takes a quote at the end of a name for that: such names are offered
            # without quotes only. The history is expanded inside double quotes too.
            \')
                [[ "${name}" == *\'* ]] && continue
                ;;
            \")
                [[ "${name}" == *[\"\\\!]* ]] && continue
                name="${name//\$/\\\$}"
                name="${name//\`/\\\`}"
                ;;
            *)
                printf -v name %q "${name}"
                # These mean nothing to the shell, but readline breaks words there.
                [[ "${name}" == \$\'* ]] || name="${name//[:=@]/\\&}"
                ;;
            esac
            COMPREPLY+=("${name}")
        done < <(reddot names "${1}" 2>/dev/null)
    }

    """#

  private static let zsh = #"""

    # Offers names. Each line is a name as it stands; _describe would cut it at a colon.
    __reddot_add_names() {
        # Exclamation marks are quoted only with this option.
        setopt localoptions banghist
        local -a names
        names=("${(@f)"$(reddot names "${1}" 2>/dev/null)"}")
        compadd -V names -- "${(@)names:#}"
    }

    """#
}
