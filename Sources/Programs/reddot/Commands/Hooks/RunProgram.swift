import Basics

/// The program that a command of a shell ran: the program after `sudo`, `nice` and similar programs.
struct RunProgram {
  /// The program's name without its folder.
  private(set) var name: String
  /// The names of the programs that come before it in the command and run it, such as `sudo`.
  private(set) var wrappers: [String] = []
  /// Whether the program is a command of the shell that usually takes no time.
  let isImmediate: Bool

  /// - Parameters:
  ///   - command: the words of one command.
  ///   - variables: the environment, for a program that is named by a variable, for example `$EDITOR`.
  /// - Returns: `nil` if the command runs no program, for example the beginning of a loop.
  init?(_ command: [String], variables: [String: String]) {
    var words = command[...]
    while let word = words.first {
      if ShellWords.heads.contains(word) { return nil }
      guard ShellWords.prefixes.contains(word) || Self.isAssignment(word) else { break }
      words = words.dropFirst()
    }
    guard let first = words.first else { return nil }
    let program = Self.name(of: first, variables)
    if program.isEmpty { return nil }
    name = program
    isImmediate = ShellWords.immediate.contains(program)
    guard let wrapper = Wrapper.all[program] else { return }
    let inner = wrapper.rest(of: words.dropFirst())
    guard let run = RunProgram(Array(inner.prefix(Limits.hookLineWords)), variables: variables) else {
      name = wrapper.alone ?? program
      return
    }
    name = run.name
    wrappers = (wrapper.isJudged ? [program] : []) + run.wrappers
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.firstIndex(of: "="), sign != word.startIndex else { return false }
    let name = word[..<sign].prefix { $0 != "[" && $0 != "+" }
    return name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static func name(of word: String, _ variables: [String: String]) -> String {
    var path = word
    if path.hasPrefix("$") {
      let variable = path.dropFirst().filter { $0 != "{" && $0 != "}" }
      path = variables[String(variable)]?.split(onBytes: " ").first.map(String.init) ?? path
    }
    return path.split(onBytes: "/").last.map(String.init) ?? path
  }

  /// Returns the first program of a line for which the shell waited. Commands such as `cd` are returned only if there
  /// is no other program.
  static func first(of line: ShellLine, variables: [String: String]) -> RunProgram? {
    let programs = line.commands.filter { !$0.isInBackground }.compactMap {
      RunProgram($0.words, variables: variables)
    }
    return programs.first { !$0.isImmediate } ?? programs.first
  }
}

/// Words of shells that are not programs.
private enum ShellWords {
  /// Words after which a command may begin.
  static let prefixes: Set<String> = [
    "if", "then", "elif", "else", "while", "until", "do", "{", "}", "!", "not", "and", "or", "begin", "end",
    "fi", "done", "esac", "coproc", "command", "builtin", "noglob", "nocorrect", "-",
  ]
  /// Words after which the next words are not commands.
  static let heads: Set<String> = ["for", "case", "select", "function", "switch", "[[", "(("]
  /// Commands that take no time.
  static let immediate: Set<String> = [
    "cd", "pushd", "popd", "export", "set", "unset", "alias", "unalias", "echo", "printf", "print", "true",
    "false", "test", "[", ":", "type", "hash", "umask", "ulimit", "shopt", "setopt", "unsetopt", "local",
    "declare", "typeset", "readonly", "let", "trap", "history", "jobs", "disown", "bg", "pwd", "exit",
    "return", "shift", "source", ".", "math", "string",
  ]
}

/// A program that runs another one.
private struct Wrapper {
  /// The program's short options that have a value, as single letters.
  var short = ""
  /// The program's long options whose value may be the next word.
  var long: Set<String> = []
  /// The number of arguments of the program itself in front of the command that it runs.
  var operands = 0
  /// Whether assignments of variables may precede the command that the program runs.
  var takesVariables = false
  /// The letter of an option whose value contains the first words of the command.
  var split: Character?
  /// The program as which this program acts if it is given no command, for example `su` for `doas`.
  var alone: String?
  /// Whether the list of interactive programs also applies to this program when it runs another one.
  var isJudged = true

  static let all: [String: Wrapper] = [
    "chrt": Wrapper(
      short: "TPD", long: ["--sched-runtime", "--sched-period", "--sched-deadline"], operands: 1),
    "doas": Wrapper(short: "uCa", alone: "su"),
    "env": Wrapper(
      short: "uC", long: ["--unset", "--chdir", "--argv0", "--split-string"], takesVariables: true,
      split: "S"),
    "exec": Wrapper(short: "a"),
    "ionice": Wrapper(short: "cnpPu", long: ["--class", "--classdata", "--pid", "--pgid", "--uid"]),
    "nice": Wrapper(short: "n", long: ["--adjustment"]),
    "nohup": Wrapper(),
    "setsid": Wrapper(),
    "ssh": Wrapper(short: "bcDEeFIiJLlmOopQRSWw", operands: 1, isJudged: false),
    "stdbuf": Wrapper(short: "ioe", long: ["--input", "--output", "--error"]),
    "sudo": Wrapper(
      short: "aCcDghpRrTtUu",
      long: [
        "--chdir", "--chroot", "--close-from", "--command-timeout", "--group", "--host", "--other-user",
        "--prompt", "--role", "--type", "--user",
      ], takesVariables: true, alone: "su"),
    "time": Wrapper(short: "fo", long: ["--format", "--output"]),
    "timeout": Wrapper(short: "ks", long: ["--kill-after", "--signal"], operands: 1),
    "watch": Wrapper(short: "nq", long: ["--interval", "--equexit"]),
    "xargs": Wrapper(
      short: "adEILnPs",
      long: [
        "--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-procs", "--process-slot-var",
      ]),
  ]

  /// Returns the command that this program runs.
  ///
  /// - Parameter words: the words after this program's name.
  /// - Returns: the words of the command; empty if there is none.
  func rest(of words: ArraySlice<String>) -> [String] {
    var words = words
    var operands = operands
    while let word = words.popFirst() {
      if word == "--" {
        return Array(words.dropFirst(operands))
      } else if word.hasPrefix("--") {
        if word.hasPrefix("--split-string="), split != nil {
          return Self.words(String(word.drop { $0 != "=" }.dropFirst())) + words
        }
        if long.contains(word) {
          let value = words.popFirst() ?? ""
          if word == "--split-string" { return Self.words(value) + words }
        }
      } else if word.hasPrefix("-"), word.count > 1 {
        let letters = word.dropFirst()
        guard let place = letters.firstIndex(where: { short.contains($0) || $0 == split }) else { continue }
        let attached = letters[letters.index(after: place)...]
        let value = attached.isEmpty ? words.popFirst() ?? "" : String(attached)
        if letters[place] == split { return Self.words(value) + words }
      } else if takesVariables, word.contains("="), !word.hasPrefix("=") {
        continue
      } else if operands > 0 {
        operands -= 1
      } else {
        return [word] + words
      }
    }
    return []
  }

  private static func words(_ text: String) -> [String] { ShellLine(text).commands.first?.words ?? [] }
}
