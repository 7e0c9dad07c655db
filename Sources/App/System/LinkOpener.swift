import Foundation

/// Opens links outside: http, https and mailto only, as one argument of a program, never through a shell.
package struct LinkOpener: Sendable {
  /// Program and arguments; the link is appended.
  package var command: [String]
  package var environment: [String: String]

  package init(command: [String], environment: [String: String]) {
    self.command = command
    self.environment = environment
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

  /// Starts the program and returns; how the program ends is no longer reddot's business.
  package func open(_ link: String) throws(Failure) {
    guard Self.isAllowed(link) else {
      throw Failure(reason: "only http, https and mailto links are opened")
    }
    guard let program = command.first else { throw Failure(reason: "open_command is empty") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command + [link]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard Self.isInstalled(program, path: environment["PATH"]) else {
      throw Failure(
        reason: "\(program) is not installed; set open_command in the settings, or copy the link with y")
    }
    do {
      try process.run()
    } catch {
      throw Failure(reason: "\(program) cannot be started: \(SystemReason.words(error))")
    }
  }

  private static func isInstalled(_ program: String, path: String?) -> Bool {
    if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) }
    return (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}
