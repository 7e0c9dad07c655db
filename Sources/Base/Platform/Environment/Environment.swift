package import Basics
package import Foundation

/// The program's inputs: environment variables, clock, time zone and randomness. It is created once, at the composition
/// root.
package struct Environment: Sendable {
  package var variables: [String: String]
  package var home: String
  package var now: @Sendable () -> Date
  /// A random number from 0 up to 1.
  package var random: @Sendable () -> Double
  /// The clock that waits and measures durations. It must keep running while the machine sleeps.
  package var timer: any Clock<Duration>
  /// Returns the clock of the system's time zone. Call it each time, since the zone may change while the program runs.
  package var clock: @Sendable () -> ZoneClock
  /// The file of the system's time zone, or `nil` if the zone cannot change.
  package var zoneFile: String?
  package var version: String
  /// The runner that starts all programs of this process.
  package var programs: ProgramRunner

  package init(
    variables: [String: String], home: String, version: String, now: @escaping @Sendable () -> Date,
    clock: @escaping @Sendable () -> ZoneClock, random: @escaping @Sendable () -> Double,
    timer: any Clock<Duration> = ContinuousClock(), zoneFile: String? = nil,
    programs: ProgramRunner = ProgramRunner()
  ) {
    self.variables = variables
    self.home = home
    self.version = version
    self.programs = programs
    self.now = now
    self.timer = timer
    self.clock = clock
    self.random = random
    self.zoneFile = zoneFile
  }

  package var directories: Directories { Directories(environment: variables, home: home) }

  /// The language of the locale as a BCP 47 tag, or `nil` for C and POSIX (POSIX.1-2017, section 8.2).
  package var language: String? {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
    guard let tag = value?.split(whereSeparator: { $0 == "." || $0 == "@" }).first.map(String.init),
      tag != "C", tag != "POSIX"
    else { return nil }
    return tag.replacingBytes("_", with: "-")
  }
}
