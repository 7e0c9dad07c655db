import Foundation
import Messages
import StandIns
import Synchronization
import TerminalHarness
import Testing

/// A service with more unread entries than one part of a poll takes.
@Suite struct LongListTests {
  private static let count = 12_000
  /// The minimum number of entries that the first part contains.
  private static let firstPart = 2_500
  private let household: Household
  private let reader: MinifluxStandIn

  init() throws {
    household = try Household()
    // The entries are a day old, since recently changed entries would be read twice.
    let age = Mutex(TimeInterval(86_400))
    reader = MinifluxStandIn(StandInConditions(clock: { Date() - age.withLock { $0 } }))
    reader.arrive(Self.count, content: "<p>An <b>old</b> entry</p>")
    age.withLock { $0 = 0 }
  }

  private func follow(_ server: StandInServer) throws {
    try household.write("token", reader.conditions.token + "\n")
    try household.settings(sources: [
      (
        name: "reader", url: MinifluxStandIn.address(at: server.origin),
        more: "kind = \"miniflux\"\ntoken_file = \"\(household.home)/token\"\n"
      )
    ])
  }

  private func stored(_ field: String = "total") throws -> Int {
    let ran = try household.run("status", "--format", "{\(field)}")
    return try #require(Int(ran.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(ran)")
  }

  @Test func onePollBringsAllOfIt() async throws {
    try await StandInServer.with(reader) { server in
      try follow(server)
      try await onThread { () throws in
        let ran = try household.run("poll", "--all")
        #expect(ran.exit == .status(0), "\(ran.errors)")
        #expect(ran.output.hasPrefix("reader: \(Self.count) new"), "\(ran.output.prefix(200))")
        #expect(try stored() == Self.count)
        #expect(try stored("unread") == Self.count)
        // The newest entries arrived first, and nothing was requested twice.
        let pages = reader.conditions.visits.compactMap { visit in
          visit.query.first { $0.name == "before_entry_id" }?.value
        }
        #expect(Set(pages).count == pages.count)
      }
    }
  }

  @Test func aKillInTheMiddleLosesAndRepeatsNothing() async throws {
    try await StandInServer.with(reader) { server in
      try follow(server)
      try await onThread { () throws in
        let running = try household.start(["poll"])
        try eventually("the first part") { try stored() >= Self.firstPart }
        _ = running.kill(after: .zero)
        #expect(try household.run("poll", "--force").exit == .status(0))
        #expect(try stored() == Self.count)
        #expect(try stored("unread") == Self.count)
      }
    }
  }
}
