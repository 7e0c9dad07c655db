import Foundation
import GRDB
import Testing

@testable import Hub

/// A folder for the file of a hub.
final class HubFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/reddot-hub-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays behind: \(error)") }
  }

  /// Returns a folder with a hub that has the feed `ops`.
  static func withFeed() throws -> HubFolder {
    let folder = try HubFolder()
    try folder.open().add(HubFeed(name: HubPremises.ops, title: "Ops"))
    return folder
  }

  var database: String { "\(path)/hub.db" }

  func open() throws -> SQLiteFile { try SQLiteFile(path: database) }
}

extension SQLiteFile {
  func execute(_ statement: String) async throws {
    try await pool.write { db in try db.execute(sql: statement) }
  }
}
