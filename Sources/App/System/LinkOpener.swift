package import Interface
import Markup
package import Programs
import Screen

/// Opens links with another program: http, https and mailto only, as one argument, never through a shell.
package struct LinkOpener: Sendable {
  /// Program and arguments; the link is appended if they have no placeholder for it.
  package var command: ProgramTemplate
  package var environment: [String: String]
  /// The setting with the program.
  package var setting = "open_command"

  private let programs: ProgramRunner

  package init(command: ProgramTemplate, environment: [String: String], programs: ProgramRunner) {
    self.command = command
    self.environment = environment
    self.programs = programs
  }

  /// Why a link was not opened, for the user.
  package struct Failure: Error, Hashable, Sendable {
    package var reason: String
  }

  /// Whether a link may be opened.
  package static func isAllowed(_ link: String) -> Bool {
    guard let scheme = LinkScheme(of: link), scheme != .reddot else { return false }
    return !link.unicodeScalars.contains { $0 == " " || $0.isControl }
  }

  /// The program and its arguments for a link.
  package func words(for link: String) throws(Failure) -> [String] {
    guard Self.isAllowed(link) else {
      throw Failure(reason: "only http, https and mailto links are opened")
    }
    guard !command.words.isEmpty else { throw Failure(reason: "\(setting) is empty") }
    return command.uses(.url) ? command.filled([.url: link]) : command.words + [link]
  }

  /// Starts the program and returns. The program's result is ignored, and it may outlive reddot.
  package func open(_ link: String) async throws(Failure) {
    let words = try words(for: link)
    do throws(ProgramFailure) {
      try await programs.detach(words, environment: environment)
    } catch .notInstalled(let program) {
      throw Failure(
        reason: "\(program) is not installed; set \(setting) in the settings, or copy the link with y")
    } catch {
      throw Failure(reason: "\(setting) \(error.words)")
    }
  }
}
