import Basics
import Foundation
package import Messages
package import Platform

/// The panes of tmux, kitty and WezTerm: what they are called, whether somebody looks at them, and how to go there.
///
/// Each is asked by its own program, without a shell, and only numbers and sockets are handed to it.
package struct Panes: Sendable {
  private let environment: Environment

  package init(_ environment: Environment) { self.environment = environment }

  /// Why nobody could go to a pane.
  package enum Failure: Error, Hashable, Sendable {
    /// Its window was closed, or its program has ended.
    case gone
    /// Its terminal can't be asked; a clause.
    case cannotAsk(String)
    /// It was selected, and no terminal shows its session.
    case notAttached(session: String)
  }

  /// What tmux says of a pane.
  package struct Facts: Hashable, Sendable {
    package var name: String
    /// Whether a terminal that has the focus shows it.
    package var isLookedAt: Bool
    /// Whether reddot runs there, which rings for what it is told itself.
    package var isOwn: Bool
  }

  /// The pane that this process is in, with its name, and whether somebody looks at it.
  package func own() async -> (pane: TerminalPane?, isLookedAt: Bool) {
    guard var pane = TerminalPane(environment: environment.variables) else { return (nil, false) }
    let facts = await facts(of: pane)
    pane.name = facts?.name
    return (pane, facts?.isLookedAt ?? false)
  }

  /// - Returns: nil for one that is gone, and for other programs than tmux, which can't be asked.
  package func facts(of pane: TerminalPane) async -> Facts? {
    guard pane.program == .tmux, let target = await window(of: pane) else { return nil }
    do throws(ProgramFailure) {
      // Texts of programs come last, and are filtered before they reach the screen.
      let answer = try await tmux(
        pane, "display-message", "-p", "-t", target, "-F",
        "#{==:#{pane_current_command},reddot}#{session_name}:#{window_index}.#{pane_index} #{window_name}")
      let clients = try await tmux(pane, "list-clients", "-F", "#{pane_id} #{client_flags}")
      let isLookedAt = clients.split(exactly: "\n").contains { line in
        let words = line.split(exactly: " ", maxSplits: 1)
        return words.count == 2 && words[0] == target && words[1].split(exactly: ",").contains("focused")
      }
      return Facts(
        name: String(answer.dropFirst().prefix(while: { !$0.isNewline }).prefix(Limits.paneNameCharacters)),
        isLookedAt: isLookedAt, isOwn: answer.first == "1")
    } catch {
      return nil
    }
  }

  /// Says in tmux whether messages of a pane are unread, as its option `@reddot`: a hook asks for it when somebody goes
  /// there, and a status line may show it.
  package func mark(_ pane: TerminalPane, unread: Bool) async {
    guard pane.program == .tmux, let number = pane.number else { return }
    let option = ["set-option", "-p", "-t", "%\(number)"] + (unread ? ["@reddot", "1"] : ["-u", "@reddot"])
    // A pane that is gone has no mark.
    _ = try? await run(Self.tmux(pane, option))
  }

  /// Shows a pane: in the terminal of this process where its program can, else in the one that was used last.
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

  /// The name of the client with the greatest number, of lines with a number and a name.
  private static func lastUsed(_ lines: String) -> String? {
    var last: (activity: Int, name: String)?
    for line in lines.split(exactly: "\n") {
      let words = line.split(exactly: " ", maxSplits: 1)
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

  /// The pane as tmux's target, if it is one of the server that it was in, and is there.
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
