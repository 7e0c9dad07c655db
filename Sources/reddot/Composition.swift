import App
import ArgumentParser
import Foundation

/// The composition root: the only place that reads the clock, the environment and random numbers.
enum Composition {
  static let version = "0.1.0"

  static func environment() -> Environment {
    Environment(
      variables: ProcessInfo.processInfo.environment,
      home: ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory(), version: version,
      now: { Date() }, zone: { TimeZone.autoupdatingCurrent }, random: { Double.random(in: 0..<1) })
  }

  /// This program as the host of scripts. By the running executable, not by its path: an update may have replaced the
  /// file.
  static let scripts = BannerScripts(path: executable, arguments: ["script-host"])

  private static var executable: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }

  /// For commands that mark, push or change the settings.
  static func workspace(_ files: FileOptions) throws -> Workspace {
    try Workspace(config: files.config, database: files.database, environment: environment())
  }

  /// For commands that only read.
  static func workspaceToRead(_ files: FileOptions) throws -> Workspace {
    try .toRead(config: files.config, database: files.database, environment: environment())
  }
}
