import ArgumentParser
import Banners
import Basics
import Foundation
import Platform
import Profile
import Session
import Settings

/// The composition root: the only place that reads the clock, the environment and random numbers.
enum Composition {
  /// The one place that has it: Resources/package-deb asks the program, and man pages name it.
  static let version = "0.2.0"

  /// Read once: each reading makes all of them anew.
  private static let variables = ProcessInfo.processInfo.environment

  static func environment() -> Environment {
    Environment(
      variables: variables, home: variables["HOME"] ?? NSHomeDirectory(), version: version,
      now: { Date() },
      clock: {
        SystemZone.readAgainIfChanged()
        return .system
      }, random: { Double.random(in: 0..<1) }, zoneFile: SystemZone.file)
  }

  /// This program as the host of scripts. By the running executable, not by its path: an update may have replaced the
  /// file.
  static let scripts = BannerScripts(path: executable, arguments: [ScriptHostCommand.name])

  private static var executable: String {
    "/proc/self/exe"
  }

  /// Makes what the first frame needs besides settings and database, on another thread while those are opened: words, keys and
  /// the time zone, which are each made once for the process.
  @concurrent
  static func prepareFirstFrame() async {
    let environment = environment()
    environment.prepareFirstFrame()
  }

  /// For commands that mark, push or change the settings.
  static func profile(_ files: FileOptions) throws -> Profile {
    var profile = try Profile(
      config: files.config, database: files.database, environment: environment())
    profile.ownProgram = [ownFile]
    profile.noticeHost = [ownFile, "notice-host"]
    return profile
  }

  /// Reports the sources that the settings hold and that cannot be read.
  static func report(leftOutOf profile: Profile) {
    for mistake in profile.settings.leftOut { Complaint.print(mistake.sentence) }
  }

  /// This program's file, for a process that may begin after this one has ended.
  static var ownFile: String {
    // Another file may have taken its place, or none; while this process runs, it can still be started.
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: executable),
      access(path, X_OK) == 0
    else { return "/proc/\(getpid())/exe" }
    return path
  }

  /// For commands that only read.
  static func profileToRead(_ files: FileOptions) throws -> Profile {
    try .toRead(config: files.config, database: files.database, environment: environment())
  }
}
