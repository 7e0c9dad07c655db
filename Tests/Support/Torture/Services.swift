import Foundation
import Messages
import StandIns

/// The services of a household, which run in this process: Miniflux stores marks and reports them, Gotify deletes
/// dismissed messages.
struct Services {
  private let miniflux = MinifluxStandIn(StandInConditions(clock: { Date() }))
  private let gotify = GotifyStandIn(StandInConditions(clock: { Date() }))

  /// The names of their sources.
  static let names: Set = ["gotify", "miniflux"]

  private var all: [any ServiceStandIn] { [miniflux, gotify] }

  /// Runs `body` while the services are reachable.
  ///
  /// - Parameter body: receives the settings of their sources.
  func serve(_ body: (String) throws -> Void) async throws {
    try await StandInServer.with(miniflux) { first in
      try await StandInServer.with(gotify) { second in
        let settings = zip(all, [first, second]).map { service, server in
          """
          [[source]]
          name = "\(type(of: service).kind.rawValue)"
          kind = "\(type(of: service).kind.rawValue)"
          url = "\(type(of: service).address(at: server.origin))"
          token = "\(service.conditions.token)"

          """
        }
        try body(settings.joined())
      }
    }
  }

  /// Adds some new messages to each.
  ///
  /// - Returns: their keys.
  func arrive(_ count: Int) -> [String] {
    all.flatMap { service in
      (0..<count).map { _ in "\(type(of: service).kind.rawValue)/\(service.arrive().text)" }
    }
  }

  /// Compares the acts that the services received with the store and with the user's acts.
  ///
  /// - Parameter stored: the stored messages, without acts that wait to be sent.
  func problems(_ stored: [ListedMessage], _ ledger: Ledger) throws -> [String] {
    var problems: [String] = []
    var state: [String: Set<OutgoingMark>] = [:]
    for (key, mark) in try told() {
      if !ledger.didTry(mark, key) {
        problems.append("\(key): the service was told \(mark), which nobody did")
      }
      switch mark {
      case .read(false): state[key]?.remove(.read(true))
      case .starred(false): state[key]?.remove(.starred(true))
      case _: state[key, default: []].insert(mark)
      }
    }
    for message in stored where Self.names.contains(message.source) {
      func compare(_ mark: OutgoingMark, _ isHere: Bool) {
        let isThere = state[message.key]?.contains(mark) == true
        if isThere != isHere {
          problems.append("\(message.key): \(mark) is \(isHere) here and \(isThere) at the service")
        }
      }
      if message.source == "miniflux" {
        compare(.read(true), !message.isUnread || message.isDismissed)
        compare(.starred(true), message.isStarred)
      } else if message.isDismissed || !ledger.didTry(.done(false), message.key) {
        // A deleted message cannot be restored there.
        compare(.done(true), message.isDismissed)
      }
    }
    return problems
  }

  /// Returns the marks that the services received, in order.
  private func told() throws -> [(key: String, mark: OutgoingMark)] {
    var told: [(key: String, mark: OutgoingMark)] = []
    for visit in miniflux.conditions.visits where visit.method == "PUT" {
      let body = try JSONSerialization.jsonObject(with: visit.body) as? [String: Any]
      let mark: OutgoingMark
      if let status = body?["status"] as? String {
        mark = .read(status == "read")
      } else if let isStarred = body?["starred"] as? Bool {
        mark = .starred(isStarred)
      } else {
        throw Unusable("\(visit.path) got \(String(decoding: visit.body, as: UTF8.self))")
      }
      told += (body?["entry_ids"] as? [Int] ?? []).map { ("miniflux/\($0)", mark) }
    }
    for visit in gotify.conditions.visits where visit.method == "DELETE" {
      told.append(("gotify/\(visit.path.dropFirst("/message/".count))", .done(true)))
    }
    return told
  }
}
