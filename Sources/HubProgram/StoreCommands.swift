import ArgumentParser
import Foundation
import HubStore

/// `reddot-hub check`: a line for each finding; 1 if one fails.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Checks the settings and the store.")

  @OptionGroup var settings: SettingsOption

  func run() throws {
    let settings = try settings.read()
    var fails = false
    func say(_ what: String, _ isGood: Bool, _ sentence: String) {
      print("\(what)  \(isGood ? "good" : "fails")  \(sentence)")
      if !isGood { fails = true }
    }
    say("settings", true, settings.file ?? "none: all are as usual")
    if FileManager.default.fileExists(atPath: settings.store) {
      do {
        let file = try HubFile(path: settings.store)
        say("store", true, "sqlite:\(settings.store)")
        say("schema", true, "\(try file.version())")
        let isDurable = try file.isDurable()
        say(
          "fsync", isDurable,
          isDurable ? "what is acknowledged is on the disk" : "SQLite doesn't wait for the disk")
        let damage = try file.damage()
        say("pages", damage == nil, damage.map { "\($0): restore a backup" } ?? "none is damaged")
      } catch let failure as HubStoreFailure {
        say("store", false, failure.description)
      }
    } else {
      say("store", false, "\(settings.store) isn't there: reddot-hub feed add makes it")
    }
    if fails { throw ExitCode.failure }
  }
}

/// `reddot-hub migrate`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Brings the store to the schema of this version.")

  @OptionGroup var settings: SettingsOption
  @Flag(help: "A backup was restored: new ids are far above those that readers have seen.")
  var restored = false

  func run() throws {
    let start = ContinuousClock.now
    let file = try settings.open(migrates: true).file
    let version = try file.version()
    if file.versionBefore == version {
      print("Schema \(version): nothing to do.")
    } else {
      let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
      print("Schema \(file.versionBefore) to \(version) in \(tenths / 10).\(tenths % 10) s.")
    }
    if restored { print("Ids go on from \(try file.moveOn()).") }
  }
}

/// `reddot-hub backup FILE`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copies the store into a file, while it is in use, and checks the copy.")

  @OptionGroup var settings: SettingsOption
  @Argument(help: "Replaced if it is there.") var file: String

  func run() throws {
    let copy = try settings.open().file.backUp(to: file)
    let tenths = (copy.bytes + 50_000) / 100_000
    print("Backed up \(copy.items) items, \(tenths / 10).\(tenths % 10) MB.")
  }
}
