import Foundation
import Messages
import Storage
import Testing

@testable import App

/// What a source's `feature_command` is told.
struct FeatureHookTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "reddot-hook-\(UUID().uuidString)")

  private func hook(_ command: [String]) throws -> (hook: FeatureHook, source: SourceID) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = Settings()
    var source = SourceSettings(
      source: ConfiguredSource(name: "app", kind: .native, address: "https://a.example/"))
    source.featureCommand = command
    settings.sources = [source]
    let surroundings = Surroundings(
      environment: ["PATH": "/usr/bin:/bin"], home: folder.path, version: "0",
      now: { Date(timeIntervalSince1970: 0) },
      zone: { .gmt }, random: { 0 })
    let workspace = try Workspace(
      settings: settings, file: SettingsFile(path: folder.path + "/config.toml", home: folder.path),
      store: .inMemory(now: Date(timeIntervalSince1970: 0)), surroundings: surroundings)
    return (FeatureHook(workspace), workspace.sources[0].id)
  }

  private func recorded(_ changes: FeatureChange...) -> RecordedPoll { RecordedPoll(features: changes) }

  /// Waits for a named pipe's writer: as long as the program takes, and no longer.
  private func told(_ hook: FeatureHook, _ source: SourceID, _ poll: RecordedPoll, pipe: String) -> String {
    #expect(hook.run(poll, of: source) == [])
    let bytes = FileHandle(forReadingAtPath: pipe)?.readDataToEndOfFile() ?? Data()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (true, "dark-mode", #"{"level":3}"#, "on|dark-mode|{\"level\":3}|"),
    (false, "beta; rm -rf $(x)", nil, "off|beta; rm -rf $(x)|null|"),
  ])
  func stateNameAndDataAreItsLastArguments(
    _ isEnabled: Bool, _ name: String, _ data: String?, _ expected: String
  )
    throws
  {
    let pipe = folder.path + "/pipe"
    for command in [
      ["/bin/sh", "-c", "printf '%s|' \"$@\" > \(pipe)"],
      ["sh", "-c", "printf '%s|' \"$@\" > \(pipe)", "hook"],
    ] {
      let (hook, source) = try hook(command)
      unlink(pipe)
      #expect(mkfifo(pipe, 0o600) == 0)
      let change = FeatureChange(name: name, isEnabled: isEnabled, remoteID: RemoteID("1"), data: data)
      #expect(told(hook, source, recorded(change), pipe: pipe) == expected)
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aNameThatLooksLikeAnOptionIsRefused() throws {
    let (hook, source) = try hook(["false"])
    let troubles = hook.run(
      recorded(FeatureChange(name: "--all", isEnabled: true, remoteID: RemoteID("1"))), of: source)
    #expect(troubles.count == 1 && troubles[0].contains("--all"))
    try FileManager.default.removeItem(at: folder)
  }

  @Test func otherSourcesRunNothing() throws {
    let (hook, source) = try hook(["/nonexistent/program"])
    let change = FeatureChange(name: "a", isEnabled: true, remoteID: RemoteID("1"))
    #expect(hook.run(recorded(change), of: SourceID(source.rawValue + 1)) == [])
    try FileManager.default.removeItem(at: folder)
  }
}
