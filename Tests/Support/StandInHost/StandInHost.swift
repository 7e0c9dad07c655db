import Foundation
import Messages
import Services
import StandIns

/// Serves every stand-in on loopback, for tests by hand: prints settings for them, then obeys lines such as `github
/// arrive`, `github restart`, `github fail serverError`, `github recover`, `github visits`.
@main
struct StandInHost {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let count = arguments.first.flatMap { Int($0) } ?? 3
    var hosts: [String: any ServiceStandIn] = [:]
    var settings = ""
    for type in StandIns.types {
      let standIn = type.init(StandInConditions(clock: { Date() }))
      for _ in 0..<count { standIn.arrive() }
      let server = try await StandInServer.start(standIn)
      var name = type.kind.rawValue
      // Several stand-ins may be of one kind.
      while hosts[name] != nil { name += "2" }
      hosts[name] = standIn
      let needsUser = SourceAdapters.facts(of: type.kind)?.needsUser == true
      settings += """
        [[source]]
        name = "\(name)"
        kind = "\(type.kind.rawValue)"
        url = "\(type.address(at: server.origin))"
        \(needsUser ? "user = \"\(standIn.conditions.user)\"\n" : "")token = "\(standIn.conditions.token)"


        """
    }
    print(settings)
    fflush(nil)
    while let line = readLine() { obey(line, hosts) }
  }

  private static func obey(_ line: String, _ hosts: [String: any ServiceStandIn]) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 2, let standIn = hosts[words[0]] else {
      print("names: \(hosts.keys.sorted().joined(separator: " "))")
      return
    }
    switch words[1] {
    case "arrive":
      for _ in 0..<(words.count > 2 ? Int(words[2]) ?? 1 : 1) { print(standIn.arrive().text) }
    case "restart": standIn.restart()
    case "recover": standIn.conditions.recover()
    case "fail":
      let fault = StandInFault.allCases.first { "\($0)" == words.dropFirst(2).first } ?? .serverError
      for _ in 0..<100 { standIn.conditions.fail(fault) }
    case "visits":
      for visit in standIn.conditions.visits {
        print(
          "\(visit.method) \(visit.path) \(visit.status.map(String.init) ?? "-") token: \(visit.hasToken)")
      }
      standIn.conditions.clearVisits()
    case "open": print(standIn.truth.openNow.map(\.text).sorted().joined(separator: " "))
    case _: print("arrive, restart, fail, recover, visits or open")
    }
    fflush(nil)
  }
}
