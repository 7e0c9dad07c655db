import ArgumentParser
import Basics
import Foundation
import Hub
import Platform

/// `reddot-hub check`, which prints a line for each finding, and exits with 1 if one is a failure.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the settings and the store, or test a webhook.")

  @OptionGroup var settings: SettingsOption
  @Option(help: "Webhook that reads the delivery in FILE; the items are printed, not stored.") var hook:
    String?
  @Argument(
    help:
      "The delivery: lines Name: value, an empty line and the body; or only the body. - is standard input.")
  var file: String?

  func validate() throws {
    guard (hook == nil) == (file == nil) else { throw ValidationError("give --hook and a file, or neither") }
  }

  func run() async throws {
    let settings = try settings.read()
    if let hook, let file { return try HookTrial(settings, hook).run(file) }
    var findings = [HubFinding("settings", true, settings.file ?? "none; all have their defaults")]
    if case .file(let path) = settings.store, !FileManager.default.fileExists(atPath: path) {
      findings.append(
        HubFinding("store", false, "\(path) does not exist; run reddot-hub feed add to create it"))
    } else {
      do throws(HubStoreFailure) {
        let store = try settings.store.open(settings)
        findings.append(HubFinding("store", true, store.name))
        findings += try store.findings(now: Date())
      } catch {
        findings.append(HubFinding("store", false, error.description))
      }
    }
    if let tls = settings.tls { findings.append(Self.finding(tls)) }
    for hook in settings.hooks {
      do {
        _ = try await hook.hook()
        findings.append(HubFinding("hook", true, hook.name.text))
      } catch {
        findings.append(HubFinding("hook", false, "\(hook.name): \(error.reason)"))
      }
    }
    for finding in findings {
      print("\(finding.what)  \(finding.isGood ? "good" : "fails")  \(finding.sentence)")
    }
    if !findings.allSatisfy(\.isGood) { throw ExitCode.failure }
  }

  private static func finding(_ tls: HubTLSFiles) -> HubFinding {
    do throws(HubTLSFiles.Mistake) {
      let end = try tls.end()
      let day = ISOInstant.text(end).prefix(10)
      return end > Date()
        ? HubFinding("certificate", true, "ends on \(day)")
        : HubFinding("certificate", false, "\(tls.certificate) has ended on \(day)")
    } catch {
      return HubFinding("certificate", false, "\(error.key) under [tls]: \(error.problem)")
    }
  }
}

/// `reddot-hub migrate`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Update the store to the schema of this version.")

  @OptionGroup var settings: SettingsOption
  @Flag(help: "After a backup was restored: make new ids far greater than those that readers have seen.")
  var restored = false

  func run() throws {
    let start = ContinuousClock.now
    let store = try settings.open(migrates: true).store
    let version = try store.version()
    if store.versionBefore == version {
      print("Schema \(version): nothing to do.")
    } else {
      let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
      print("Schema \(store.versionBefore) to \(version) in \(tenths / 10).\(tenths % 10) s.")
    }
    if restored { print("Ids continue from \(try store.moveOn()).") }
  }
}

/// `reddot-hub restore FILE`.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the store of a stopped hub by a backup.")

  @OptionGroup var settings: SettingsOption
  @Argument(help: "A file that reddot-hub backup wrote.", transform: WholePath.absolute) var file: String

  func run() throws {
    let settings = try settings.read()
    let path: String
    switch settings.store {
    case .file(let given): path = given
    case .database(let options):
      throw PostgreSQLPool.restoringElsewhere(file, options)
    }
    let restored: SQLiteFile.Restored
    do throws(HubStoreFailure) {
      restored = try SQLiteFile.restore(file, to: path, now: Date())
    } catch {
      guard error.kind == .isServed else { throw error }
      throw HubProgram.Failed(sentence: error.description, status: EX_CANTCREAT)
    }
    let last = restored.lastChange.map { "; the last change in it is of \(ISOInstant.text($0))" } ?? ""
    print("Restored \(restored.items.counted("item"))\(last).")
    switch restored.replacedLastID {
    case let replaced? where replaced > restored.lastID:
      print("Lost: everything published after that, up to the id \(replaced).")
    case .some: print("No item was published after that.")
    case nil: print("Everything published after that is lost.")
    }
    if let kept = restored.kept { print("The store that it replaced is kept as \(kept).") }
    print("New ids begin after \(restored.next).")
  }
}

/// `reddot-hub backup FILE`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store into a file while it is in use, and check it.")

  @OptionGroup var settings: SettingsOption
  @Argument(help: "The file, which is replaced if it exists.", transform: WholePath.absolute) var file: String

  func run() throws {
    let copy = try settings.open().store.backUp(to: file)
    let tenths = (copy.bytes + 50_000) / 100_000
    print("Backed up \(copy.items.counted("item")), \(tenths / 10).\(tenths % 10) MB.")
  }
}
