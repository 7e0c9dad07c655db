package import Programs

/// Opens links outside: http, https and mailto only, as one argument of a program, never through a shell.
package struct LinkOpener: Sendable {
  /// Program and arguments; the link is appended.
  package var command: [String]
  package var environment: [String: String]

  private let programs: ProgramRunner

  package init(command: [String], environment: [String: String], programs: ProgramRunner) {
    self.command = command
    self.environment = environment
    self.programs = programs
  }

  /// Why a link was not opened, for people.
  package struct Failure: Error, Hashable, Sendable {
    package var reason: String
  }

  private static let schemes = ["http:", "https:", "mailto:"]

  /// Whether a link may be offered at all.
  package static func isAllowed(_ link: String) -> Bool {
    let lower = link.lowercased()
    return schemes.contains { lower.hasPrefix($0) }
      && !link.unicodeScalars.contains { $0.value <= 32 || (127...159).contains($0.value) }
  }

  /// Starts the program and returns; how the program ends is no longer reddot's business, and it may outlive reddot.
  package func open(_ link: String) async throws(Failure) {
    guard Self.isAllowed(link) else {
      throw Failure(reason: "only http, https and mailto links are opened")
    }
    guard !command.isEmpty else { throw Failure(reason: "open_command is empty") }
    do throws(ProgramFailure) {
      try await programs.detach(command + [link], environment: environment)
    } catch .notInstalled(let program) {
      throw Failure(
        reason: "\(program) is not installed; set open_command in the settings, or copy the link with y")
    } catch {
      throw Failure(reason: "open_command \(error.words)")
    }
  }
}
