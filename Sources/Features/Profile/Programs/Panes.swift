import Basics
import Foundation
package import Messages
package import Platform
import Screen

/// The panes of tmux, kitty and WezTerm: finds their names, and whether the user is looking at them, and shows them.
///
/// Each program is queried with its own command, which runs without a shell and gets only numbers and sockets as
/// arguments.
package struct Panes: Sendable {
  private let environment: Environment

  package init(_ environment: Environment) { self.environment = environment }

  /// The reason why a pane could not be shown.
  package enum Failure: Error, Hashable, Sendable {
    /// The pane's window was closed, or its program has exited.
    case gone
    /// The pane's terminal cannot be queried; the clause explains why.
    case cannotAsk(String)
    /// The pane was selected, but no terminal shows its session.
    case notAttached(session: String)
  }

  /// The properties of a pane that tmux reports.
  package struct Facts: Hashable, Sendable {
    package var name: String
    /// Whether a focused terminal shows the pane.
    package var isLookedAt: Bool
    /// Whether reddot runs in the pane and can show notifications itself.
    package var isOwn: Bool
  }

  /// Returns the pane of this process, with its name, and whether the user is looking at it.
  package func own() async -> (pane: TerminalPane?, isLookedAt: Bool) {
    guard var pane = TerminalPane(environment: environment.variables) else { return (nil, false) }
    let facts = await facts(of: pane)
    pane.name = facts?.name
    return (pane, facts?.isLookedAt ?? false)
  }

  /// Returns what tmux reports about a pane, or `nil` if the pane no longer exists, or its program is not
  /// tmux and cannot be queried.
  package func facts(of pane: TerminalPane) async -> Facts? {
    guard pane.program == .tmux, let target = await window(of: pane) else { return nil }
    do throws(ProgramFailure) {
      // Strings of programs come last, and are sanitized before they reach the screen.
      let answer = try await tmux(
        pane, "display-message", "-p", "-t", target, "-F",
        "#{==:#{pane_current_command},reddot}#{session_name}:#{window_index}.#{pane_index} #{window_name}")
      let clients = try await tmux(pane, "list-clients", "-F", "#{pane_id} #{client_flags}")
      let isLookedAt = clients.split(onBytes: "\n").contains { line in
        let words = line.split(onBytes: " ", maxSplits: 1)
        return words.count == 2 && words[0] == target && words[1].split(onBytes: ",").contains("focused")
      }
      return Facts(
        name: String(answer.dropFirst().prefix(while: { !$0.isNewline }).prefix(Limits.paneNameCharacters)),
        isLookedAt: isLookedAt, isOwn: answer.first == "1")
    } catch {
      return nil
    }
  }

  /// Sets or removes tmux's option `@reddot` of a pane, depending on whether it has unread messages. A tmux hook reads
  /// the option when the user goes to the pane, and a status line can show it.
  package func mark(_ pane: TerminalPane, unread: Bool) async {
    guard pane.program == .tmux, let number = pane.number else { return }
    let option = ["set-option", "-p", "-t", "%\(number)"] + (unread ? ["@reddot", "1"] : ["-u", "@reddot"])
    // A pane that no longer exists has no option.
    _ = try? await run(Self.tmux(pane, option))
  }

  /// Shows a line in the status line of the tmux in which this process runs.
  ///
  /// - Returns: `false` if it runs in none.
  package func show(_ line: String) async -> Bool {
    guard environment.variables["TMUX"]?.isEmpty == false else { return false }
    // tmux expands formats and times in it.
    let text = SafeText(untrusted: line).text.replacingBytes("#", with: "##").replacingBytes("%", with: "%%")
    return (try? await run(["tmux", "display-message", "--", text])) != nil
  }

  /// Shows a pane: in the terminal of this process if its program can do that, otherwise in the terminal that was used
  /// last.
  package func go(to pane: TerminalPane) async throws(Failure) {
    guard let program = pane.program, let number = pane.number else { throw .gone }
    switch program {
    case .kitty:
      let socket = pane.socket.map { ["--to", $0] } ?? []
      try await ask(program, ["kitten", "@"] + socket + ["focus-window", "--match", "id:\(number)"])
    case .wezterm:
      try await ask(program, ["wezterm", "cli", "activate-pane", "--pane-id", String(number)])
    case .tmux:
      guard let target = await window(of: pane) else { throw .gone }
      try await goInTmux(to: target, of: pane)
    }
  }

  private func goInTmux(to target: String, of pane: TerminalPane) async throws(Failure) {
    if TerminalPane(environment: environment.variables)?.server == pane.server {
      try await ask(.tmux, Self.tmux(pane, ["switch-client", "-t", target]))
      return
    }
    let format = "#{client_activity} #{client_name}"
    let clients = try await ask(.tmux, Self.tmux(pane, ["list-clients", "-F", format]))
    if let last = Self.lastUsed(clients) {
      try await ask(.tmux, Self.tmux(pane, ["switch-client", "-c", last, "-t", target]))
      return
    }
    try await ask(.tmux, Self.tmux(pane, ["select-window", "-t", target]))
    try await ask(.tmux, Self.tmux(pane, ["select-pane", "-t", target]))
    let session = try await ask(
      .tmux, Self.tmux(pane, ["display-message", "-p", "-t", target, "-F", "#{session_name}"]))
    throw .notAttached(session: String(session.prefix(while: { !$0.isNewline })))
  }

  /// Returns the name of the client that was used last, from lines with a time of activity and a name.
  private static func lastUsed(_ lines: String) -> String? {
    var last: (activity: Int, name: String)?
    for line in lines.split(onBytes: "\n") {
      let words = line.split(onBytes: " ", maxSplits: 1)
      guard words.count == 2, let activity = Int(words[0]) else { continue }
      if last.map({ activity > $0.activity }) ?? true { last = (activity, String(words[1])) }
    }
    return last?.name
  }

  @discardableResult
  private func ask(_ program: TerminalPane.Program, _ command: [String]) async throws(Failure) -> String {
    do throws(ProgramFailure) {
      return try await run(command)
    } catch {
      throw .cannotAsk("\(program.rawValue) \(error.words)")
    }
  }

  /// Returns the pane's id as a target for tmux commands, or `nil` if the pane no longer exists or is of
  /// another tmux server.
  private func window(of pane: TerminalPane) async -> String? {
    guard let number = pane.number, let server = pane.server,
      let answer = try? await tmux(
        pane, "display-message", "-p", "-t", "%\(number)", "-F", "#{pid} #{pane_id}")
    else { return nil }
    return answer.hasPrefix("\(server) %\(number)\n") ? "%\(number)" : nil
  }

  private static func tmux(_ pane: TerminalPane, _ arguments: [String]) -> [String] {
    ["tmux"] + (pane.socket.map { ["-S", $0] } ?? []) + arguments
  }

  private func tmux(_ pane: TerminalPane, _ arguments: String...) async throws(ProgramFailure) -> String {
    try await run(Self.tmux(pane, arguments))
  }

  private func run(_ command: [String]) async throws(ProgramFailure) -> String {
    let output = try await environment.programs.run(
      Program(
        command, environment: environment.variables, outputLimit: Limits.paneAnswerBytes,
        deadline: Limits.paneTime))
    return String(decoding: output, as: UTF8.self)
  }
}
