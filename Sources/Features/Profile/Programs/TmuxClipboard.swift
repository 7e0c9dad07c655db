import Basics
package import Logging
package import Platform

/// The clipboard of the terminal around tmux. By default tmux ignores OSC 52 of a program inside, but sends its own
/// buffers to the terminal.
package struct TmuxClipboard {
  let environment: Environment
  let log: Logger?

  /// Creates the clipboard, or returns `nil` outside of tmux.
  package init?(_ environment: Environment, log: Logger?) {
    guard environment.variables["TMUX"]?.isEmpty == false else { return nil }
    (self.environment, self.log) = (environment, log)
  }

  /// Copies a string into the clipboard.
  ///
  /// - Returns: `false` if tmux has not sent the text: the terminal around it accepts none, or tmux is older than 3.2.
  package func copy(_ text: String) async -> Bool {
    do throws(ProgramFailure) {
      // These are the features of the client that shows this pane; empty if there is none.
      let known = try await run("display-message", "-p", "#{client_termfeatures}")
      guard
        String(decoding: known, as: UTF8.self).split(whereSeparator: { $0 == "," || $0.isNewline })
          .contains("clipboard")
      else { return false }
      _ = try await run("load-buffer", "-w", "-", input: text)
      return true
    } catch {
      log?.warning("tmux \(error.words)")
      return false
    }
  }

  private func run(_ arguments: String..., input: String = "") async throws(ProgramFailure) -> [UInt8] {
    var program = Program(
      ["tmux"] + arguments, environment: environment.variables, outputLimit: Limits.versionOutputBytes,
      deadline: Limits.versionTime)
    program.input = Array(input.utf8)
    return try await environment.programs.run(program)
  }
}
