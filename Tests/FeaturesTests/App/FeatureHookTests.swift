import Basics
import Foundation
import Messages
import Storage
import Synchronization
import Testing

@testable import Platform
@testable import Polling
@testable import Profile
@testable import Settings

/// The arguments of a source's `feature_command`, and when it is run.
struct FeatureHookTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "reddot-hook-\(UUID().uuidString)")

  private func hook(
    _ command: [String], uptime: (@Sendable () -> Duration)? = nil
  ) throws -> (hook: FeatureHook, source: SourceID) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = Settings()
    var source = SourceEntry(
      source: ConfiguredSource(name: "app", kind: .native, address: "https://a.example/"))
    source.featureCommand = command
    settings.sources = [source]
    let environment = Environment(
      variables: ["PATH": "/usr/bin:/bin"], home: folder.path, version: "0",
      now: { Date(timeIntervalSince1970: 0) },
      clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      settings: settings, file: SettingsFile(path: folder.path + "/config.toml", home: folder.path),
      store: .inMemory(now: Date(timeIntervalSince1970: 0)), environment: environment)
    let hook = FeatureHook(profile, uptime: uptime)
    return (hook, profile.sources[0].id)
  }

  private func recorded(_ changes: FeatureChange...) -> [FeatureChange] { changes }

  private func run(_ hook: FeatureHook, _ changes: [FeatureChange], of source: SourceID) async throws
    -> [String]
  {
    let calls = changes.enumerated().map { FeatureCall(id: Int64($0), source: source, change: $1) }
    var ended: [FeatureCall] = []
    let (troubles, isFinished) = try await hook.run(calls) { ended += $0 }
    #expect(isFinished && Set(ended) == Set(calls))
    return troubles
  }

  private func told(
    _ hook: FeatureHook, _ source: SourceID, _ poll: [FeatureChange], file: String
  ) async throws -> String {
    #expect(try await run(hook, poll, of: source) == [])
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  @Test(arguments: [
    (true, "dark-mode", #"{"level":3}"#, "on|dark-mode|{\"level\":3}|"),
    (false, "beta; rm -rf $(x)", nil, "off|beta; rm -rf $(x)|null|"),
  ])
  func stateNameAndDataAreItsLastArguments(
    _ isEnabled: Bool, _ name: String, _ data: String?, _ expected: String
  )
    async throws
  {
    let file = folder.path + "/told"
    for command in [
      ["/bin/sh", "-c", "printf '%s|' \"$@\" > '\(file)'"],
      ["sh", "-c", "printf '%s|' \"$@\" > '\(file)'", "hook"],
    ] {
      let (hook, source) = try hook(command)
      let change = FeatureChange(name: name, isEnabled: isEnabled, remoteID: RemoteID("1"), data: data)
      #expect(try await told(hook, source, recorded(change), file: file) == expected)
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aNameThatLooksLikeAnOptionIsRefused() async throws {
    let (hook, source) = try hook(["false"])
    let troubles = try await run(
      hook, recorded(FeatureChange(name: "--all", isEnabled: true, remoteID: RemoteID("1"))), of: source)
    #expect(troubles.count == 1 && troubles[0].contains("--all"))
    try FileManager.default.removeItem(at: folder)
  }

  @Test func otherSourcesRunNothing() async throws {
    let (hook, source) = try hook(["/nonexistent/program"])
    let change = FeatureChange(name: "a", isEnabled: true, remoteID: RemoteID("1"))
    #expect(try await run(hook, recorded(change), of: SourceID(source.rawValue + 1)) == [])
    try FileManager.default.removeItem(at: folder)
  }

  @Test func hooksRunInOrderAndTheirFailuresAreReported() async throws {
    let file = folder.path + "/told"
    let (hook, source) = try hook([
      "sh", "-c", "echo $1 $2 >> '\(file)'; [ $2 != b ] || { echo no b >&2; exit 4; }", "hook",
    ])
    let changes = ["a", "b", "c"].map {
      FeatureChange(name: $0, isEnabled: true, remoteID: RemoteID("1"))
    }
    let troubles = try await run(hook, changes, of: source)
    #expect(troubles == ["feature_command for the feature b ended with status 4: no b"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "on a\non b\non c\n")
    try FileManager.default.removeItem(at: folder)
  }

  @Test func allRunsTogetherHaveALimitOfTimeAndTheRestIsSaid() async throws {
    let file = folder.path + "/told"
    let time = Mutex(Duration.zero)
    let (hook, source) = try hook(["sh", "-c", "echo $2 >> '\(file)'", "hook"]) {
      // Each run takes ten seconds.
      time.withLock { time in
        defer { time += .seconds(10) }
        return time
      }
    }
    let calls = (0..<50).map {
      FeatureCall(
        id: Int64($0), source: source,
        change: FeatureChange(name: "f\($0)", isEnabled: true, remoteID: RemoteID("1")))
    }
    var ended: [FeatureCall] = []
    let (troubles, isFinished) = try await hook.run(calls, until: .seconds(30)) { ended += $0 }
    #expect(troubles == ["feature_command is not run for 47 more features: it took 60 s for those before"])
    #expect(isFinished && Set(ended) == Set(calls))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "f0\nf1\nf2\n")
    try FileManager.default.removeItem(at: folder)
  }

  @Test func ofManyFailuresTheFirstAreSaid() async throws {
    let (hook, source) = try hook(["false"])
    let changes = (0..<30).map {
      FeatureChange(name: "f\($0)", isEnabled: true, remoteID: RemoteID("1"))
    }
    let troubles = try await run(hook, changes, of: source)
    #expect(troubles.count == 11 && troubles.last == "feature_command failed for 20 more features")
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aPollThatSwitchesThousandsRunsAHundred() async throws {
    let file = folder.path + "/told"
    let (hook, source) = try hook(["sh", "-c", "echo >> '\(file)'", "hook"])
    let changes = (0..<5000).map {
      FeatureChange(name: "f\($0)", isEnabled: true, remoteID: RemoteID("1"))
    }
    let troubles = try await run(hook, changes, of: source)
    #expect(troubles == ["feature_command is not run for 4900 more features of the same poll"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == 100)
    try FileManager.default.removeItem(at: folder)
  }
}
