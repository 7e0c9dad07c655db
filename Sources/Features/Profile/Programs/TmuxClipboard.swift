import Basics
package import Logging
package import Platform

/// The clipboard of the terminal around tmux. By default tmux ignores what a program inside sends (OSC 52), but sends its own
/// buffers there.
package struct TmuxClipboard {
  let environment: Environment
  let log: Logger?

  /// nil outside of tmux.
  package init?(_ environment: Environment, log: Logger?) {
    guard environment.variables["TMUX"]?.isEmpty == false else { return nil }
    (self.environment, self.log) = (environment, log)
  }

  /// - Returns: whether tmux has sent it; false where the terminal around it takes none, and before tmux 3.2.
  package func copy(_ text: String) async -> Bool {
    do throws(ProgramFailure) {
      // Of the client that shows this pane; empty where there is none.
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
