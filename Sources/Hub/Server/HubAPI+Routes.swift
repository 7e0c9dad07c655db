import Basics
import HTTPTypes
import HummingbirdCore
import Sync

extension HubAPI {
  /// Returns the response to a request. A request that waits keeps all variables of the running functions in memory, so
  /// this function and the ones that it calls have few.
  func answer(_ request: HubRequest, _ line: inout HubLogLine) async throws(HubFailure) -> Answer {
    let route = try route(of: request, &line)
    let caller = route.row.isForAnyone ? nil : try await caller(of: request, route, &line)
    return try await answer(request, route, for: caller, &line)
  }

  /// Returns the route of a request. Throws if its path or its method is wrong.
  private func route(of request: HubRequest, _ line: inout HubLogLine) throws(HubFailure) -> HubRoute {
    guard (request.request.head.path ?? "").utf8.count <= Limits.hubHeadBytes else {
      throw .tooLarge("an address", limit: Limits.hubHeadBytes)
    }
    let route = try HubRoute(request.path)
    let row = route.row
    line.set(pattern: row.pattern, row.path)
    guard row.methods.contains(request.method) else {
      throw .wrongMethod(allowed: row.methods + (row.methods.contains("GET") ? ["HEAD"] : []))
    }
    switch route {
    case .feed, .objects: line.isHeld = request.method == "GET" && request.value("wait") != nil
    default: break
    }
    return route
  }

  private func answer(
    _ request: HubRequest, _ route: HubRoute, for caller: HubAccess?, _ line: inout HubLogLine
  ) async throws(HubFailure) -> Answer {
    switch (route, request.method) {
    case (.feed(let feed), "POST"): try await publish(request, to: feed, by: caller)
    case (.feed(let feed), _): try await page(request, of: feed, for: caller)
    case (.newest(let feed, let format), _): try await self.feed(request, of: feed, as: format, for: caller)
    case (.item(let key, let feed), _): try await withdraw(key, request, from: feed, by: caller)
    case (.feeds, _): try list(for: caller)
    case (.document(let feed, let path), _): try await document(request, path, of: feed, for: caller)
    case (.storedDocument(let feed, let path), "PUT"):
      try await putDocument(request, path, of: feed, by: caller)
    case (.storedDocument(let feed, let path), _):
      try await removeDocument(request, path, of: feed, by: caller)
    case (.objects, _): try await objects(request, for: caller)
    case (.object(let name), _): try await object(request, name, for: caller)
    case (.audit, _): try await audit(request, for: caller)
    case (.metrics, _): try await metrics(request, for: caller)
    case (.hook(let name, let rest), _): try await deliver(request, to: name, rest, &line)
    case (.start, _): startPage()
    case (.health, _): health()
    }
  }
}
