import ArgumentParser
import Banners
import Basics
import Foundation
import Platform
import Profile
import Session
import Settings
import Storage

/// The composition root: the only place that reads the clock, the environment and random numbers.
enum Composition {
  /// The version, defined only here: Resources/package-deb queries the program, and man pages contain it.
  static let version = "0.3.0"

  /// The environment, read once: each reading creates all variables again.
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

  /// The scripts of banners, which run in another process of this program. That process is started from the running
  /// executable, not by its path: an update may have replaced the file.
  static let scripts = BannerScripts(path: executable, arguments: [ScriptHostCommand.name])

  private static var executable: String {
    "/proc/self/exe"
  }

  /// Prepares the values for the first frame that do not depend on settings and database: words, keys and the time
  /// zone, which are each made once per process. This runs on another thread while settings and database are opened.
  @concurrent
  static func prepareFirstFrame() async {
    let environment = environment()
    environment.prepareFirstFrame()
  }

  /// Opens the profile for commands that mark, push or change the settings.
  static func profile(_ files: FileOptions) throws -> Profile {
    var profile = try Profile(
      config: files.config, database: files.database, environment: environment(), reporting: report)
    profile.ownProgram = [ownFile]
    profile.noticeHost = [ownFile, "notice-host"]
    endAbandonedQuestions(in: profile)
    return profile
  }

  /// Prints a step of the update of an earlier version's database.
  private static func report(_ update: StoreUpdate) { Complaint.print(update.sentence) }

  /// Reports the sources of `sources.toml` that cannot be read.
  static func report(leftOutOf profile: Profile) {
    for mistake in profile.settings.leftOut { Complaint.print(mistake.sentence) }
  }

  /// The path of this program's file, for a process that may start after this one has exited.
  static var ownFile: String {
    // The file may have been replaced or removed; while this process runs, it can still be started.
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: executable),
      access(path, X_OK) == 0
    else { return "/proc/\(getpid())/exe" }
    return path
  }

  /// Opens the profile for commands that only read.
  static func profileToRead(_ files: FileOptions) throws -> Profile {
    let profile = try Profile.toRead(
      config: files.config, database: files.database, environment: environment(), reporting: report)
    endAbandonedQuestions(in: profile)
    return profile
  }

  /// Ends the questions whose processes were killed.
  private static func endAbandonedQuestions(in profile: Profile) {
    // If nothing can be written, the next process ends them.
    _ = try? profile.store.questions.endAbandoned(at: profile.environment.now())
  }
}
