import Basics
import Markup
package import Platform
import Screen
package import Words

/// Opens links with another program: http, https and mailto only, as one argument, never through a shell.
package struct LinkOpener: Sendable {
  /// The program and its arguments; the link is appended if they have no placeholder for it.
  package var command: ProgramTemplate
  package var environment: [String: String]
  /// The name of the setting that specifies the program.
  package var setting = "open_command"

  private let programs: ProgramRunner

  package init(command: ProgramTemplate, environment: [String: String], programs: ProgramRunner) {
    self.command = command
    self.environment = environment
    self.programs = programs
  }

  /// The reason why a link was not opened, for the user.
  package struct Failure: UserFacingError, Hashable {
    package var reason: String

    package var sentence: String { reason }
  }

  /// Whether a link may be opened.
  package static func isAllowed(_ link: String) -> Bool {
    guard let scheme = LinkScheme(of: link), scheme != .reddot else { return false }
    return !link.unicodeScalars.contains { $0 == " " || $0.isControl }
  }

  /// Returns the program and its arguments for a link.
  package func words(for link: String) throws(Failure) -> [String] {
    guard Self.isAllowed(link) else {
      throw Failure(reason: "only http, https and mailto links are opened")
    }
    guard !command.words.isEmpty else { throw Failure(reason: "\(setting) is empty") }
    return command.uses(.url) ? command.filled([.url: link]) : command.words + [link]
  }

  /// Starts the program, which may outlive reddot.
  package func start(_ link: String) throws(Failure) -> StartedProgram {
    let words = try words(for: link)
    do throws(ProgramFailure) {
      return try StartedProgram(words, environment: environment, .apart)
    } catch {
      throw failure(error)
    }
  }

  /// Waits for the end of a program that `start` returned.
  ///
  /// - Returns: the reason why the link was probably not shown, or `nil` if the program did not fail soon after its
  ///   start.
  package func failure(of program: StartedProgram) async -> Failure? {
    guard let error = await program.ending().failure(complaint: program.lastComplaint),
      let time = program.runTime, time < Limits.linkFailureTime
    else { return nil }
    return failure(error)
  }

  /// Starts the program and returns. The program's result is ignored, and it may outlive reddot.
  package func open(_ link: String) async throws(Failure) {
    let words = try words(for: link)
    do throws(ProgramFailure) {
      try await programs.detach(words, environment: environment)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: ProgramFailure) -> Failure {
    guard case .notInstalled(let program) = error else {
      return Failure(reason: "\(setting) \(error.words)")
    }
    return Failure(
      reason: "\(program) is not installed; set \(setting) in the settings, or copy the link with y")
  }
}
