import ArgumentParser
import Hub

/// `reddot-hub copy FROM TO`.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store from SQLite into an empty PostgreSQL database.")

  @OptionGroup var settings: SettingsOption
  @Argument(help: "sqlite:/PATH; its hub must be stopped.") var from: String
  @Argument(help: "postgres://USER@HOST/DATABASE") var to: String

  func run() throws {
    let settings = try settings.read()
    guard case .file(let path) = try Self.address(from, "FROM") else {
      throw ValidationError("FROM must be \"sqlite:\" and the path of a file")
    }
    guard case .database(let options) = try Self.address(to, "TO") else {
      throw ValidationError("TO must be a database: postgres://USER@HOST/DATABASE")
    }
    // Nothing must be published meanwhile, since it would be missing in the copy.
    let file = try SQLiteFile(path: path, serves: true)
    let database = try HubStoreAddress.database(options, settings)
    let copied = try database.copy(from: file)
    let counts = [copied.feeds.counted("feed"), copied.tokens.counted("token"), copied.items.counted("item")]
    let documents = copied.documents.counted("document")
    print("Copied \(counts.joined(separator: ", ")) and \(documents); ids continue from \(copied.lastID).")
  }

  private static func address(_ text: String, _ what: String) throws -> HubStoreAddress {
    do throws(HubDatabaseOptions.Mistake) {
      return try HubStoreAddress(text)
    } catch {
      throw ValidationError("\(what) \(error.sentence)")
    }
  }
}
