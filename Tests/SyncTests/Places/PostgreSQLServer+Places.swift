import Foundation
import PostgreSQLStandIn
import Sync
import Synchronization
import TerminalHarness

extension PostgreSQLServer {
  /// Returns a sync location that uses the program, as reddot starts it.
  func place(role: String, database: String = "reddot", environment: [String: String] = [:]) throws
    -> any Place & Sendable
  {
    try place(address(role: role, database: database), environment: environment)
  }

  func place(_ address: String, environment: [String: String] = [:]) throws -> any Place & Sendable {
    let place = try PlaceAddress(address).open(
      environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 },
      beside: URL(filePath: BuiltProduct.path("reddot-postgresql")).deletingLastPathComponent().path,
      hub: noHub)
    guard let pipe = place as? PipePlace else { throw Failed(event: "not a pipe") }
    return pipe
  }
}

/// Something that another thread waits for.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
