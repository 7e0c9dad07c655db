import Foundation
import Hub
import PostgreSQLStandIn
import Testing

/// Each store that a hub may have. PostgreSQL is included only if its server is installed; otherwise
/// ``HubDatabaseTests`` reports it.
enum StoreKind: CaseIterable {
  case file, database

  static let allCases: [StoreKind] = [.file] + (PostgreSQLServer.isInstalled ? [.database] : [])
}

extension HubAdministering {
  func addToken(
    _ name: String, reads: Set<FeedName> = [], publishes: Set<FeedName> = [], isLink: Bool = false,
    isAdmin: Bool = false, person: String? = nil, expires: Date? = nil, now: Date
  ) throws -> String {
    var rights = HubRights(reads: reads, publishes: publishes, expires: expires)
    (rights.isLink, rights.isAdmin, rights.person) = (isLink, isAdmin, person)
    return try addToken(
      name, rights, secret: (0..<32).map { _ in UInt8.random(in: .min ... .max) }, now: now)
  }
}

/// A separate store with the feed `ops`, which exists as long as a test.
final class HubPremises: Sendable {
  static let ops: FeedName = {
    guard let name = FeedName("ops") else { preconditionFailure("ops is a name") }
    return name
  }()
  static let start = Date(timeIntervalSince1970: 1_764_200_000)

  private enum Place {
    case file(HubFolder)
    case database(PostgreSQLServer, name: String)
  }

  private let place: Place

  /// - Parameter server: the server of a database; `nil` for the one that tests share.
  init(_ kind: StoreKind, on server: PostgreSQLServer? = nil) throws {
    switch kind {
    case .file: place = .file(try HubFolder())
    case .database:
      let server = try server ?? .shared
      place = .database(server, name: try server.database())
    }
    try open().add(HubFeed(name: Self.ops, title: "Ops"))
  }

  /// Opens the store, as another process does.
  func open(serves: Bool = false) throws -> any HubAdministering {
    switch place {
    case .file(let folder): try SQLiteFile(path: folder.database, serves: serves)
    case .database: try PostgreSQLPool(options())
    }
  }

  func hub() throws -> any HubStoring { try open().hub() }

  /// The folder of the file; `nil` for a database.
  var folder: HubFolder? { if case .file(let folder) = place { folder } else { nil } }

  /// Returns the options of a database.
  func options(_ more: String = "") throws -> HubDatabaseOptions {
    guard case .database(let server, let name) = place else { throw CocoaError(.featureUnsupported) }
    var options = try HubDatabaseOptions(server.address(role: "postgres", database: name) + more)
    options.connections = 2
    return options
  }

  func administrator() throws -> PostgreSQLServer.Administrator {
    guard case .database(let server, let name) = place else { throw CocoaError(.featureUnsupported) }
    return try server.administrator(database: name)
  }

  /// Makes the database refuse items whose text contains the word.
  func refuse(_ word: String) async throws {
    switch place {
    case .file(let folder):
      try await SQLiteFile(path: folder.database).execute(
        """
        CREATE TRIGGER refuses BEFORE INSERT ON item WHEN new.body LIKE '%\(word)%'
        BEGIN SELECT raise(ABORT, 'refused'); END
        """)
    case .database:
      let ask = try administrator()
      try ask(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$
        """)
      try ask(
        """
        CREATE TRIGGER refuses BEFORE INSERT ON item FOR EACH ROW WHEN (new.body LIKE '%\(word)%')
          EXECUTE FUNCTION refuse()
        """)
    }
  }
}
