import Basics
import Formats
import Foundation
import HTTPTypes
import HummingbirdCore
import Sync

/// Serves objects of machines that synchronise. The machines seal them, so that the hub sees only their names, sizes
/// and times.
extension HubAPI {
  /// Returns the objects of a user that were added after a change's number. If nothing has changed since, the
  /// response is held until there is a change, for as long as the machine requests.
  func objects(_ request: HubRequest, for caller: HubAccess?) async throws(HubFailure) -> Answer {
    let person = try person(caller)
    let after = try request.number("after", in: 0...Int64.max, or: 0)
    let wait = try request.number("wait", in: 0...Int64(Limits.hubWaitSeconds), or: 0)
    let end = ContinuousClock.now + .seconds(wait)
    while true {
      let page = try await store.objects(of: person, after: after, limit: Limits.hubPageObjects)
      watch.grew([.objects(person: person): page.last])
      if page.last != after || wait == 0 || ContinuousClock.now >= end || watch.isStopping {
        return Self.answer(page)
      }
      await watch.wait(for: .objects(person: person), past: page.last, until: end)
    }
  }

  private static func answer(_ page: HubObjectPage) -> Answer {
    let objects = page.objects.map { object in
      let path = object.name.path.split(onBytes: "/")
      return
        "{\"device\":\"\(path[0])\",\"name\":\"\(path[1])\",\"size\":\(object.size),\"seq\":\(object.seq)}"
    }
    let text =
      "{\"objects\":[\(objects.joined(separator: ","))],\"last\":\(page.last),\"has_more\":\(page.hasMore)}"
    return Answer(content: .text(text), fields: [(.cacheControl, "no-store")])
  }

  /// Returns, stores or removes an object of a user's machines, depending on the method.
  ///
  /// - Parameter name: the name, or `nil` if it isn't that of an object.
  func object(
    _ request: HubRequest, _ name: ObjectName?, for caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let person = try person(caller)
    guard let name else { throw .notFound }
    switch request.method {
    case "PUT": return try await put(request, name, of: person)
    case "DELETE":
      let last = try await store.removeObject(name, of: person)
      watch.grew([.objects(person: person): last])
      return Answer(status: 204, content: .bytes(Data()), fields: [(.cacheControl, "no-store")])
    case _: break
    }
    guard let bytes = try await store.object(name, of: person) else { throw .notFound }
    return Answer(
      content: .bytes(bytes), type: "application/octet-stream",
      fields: [(.cacheControl, "private, immutable"), (.xContentTypeOptions, "nosniff")])
  }

  private func put(
    _ request: HubRequest, _ name: ObjectName, of person: Int
  ) async throws(HubFailure) -> Answer {
    guard request.request.headers[.ifNoneMatch]?.trimmingCharacters(in: .whitespaces) == "*" else {
      throw HubFailure(.badRequest, "an object is never replaced: send If-None-Match: *")
    }
    let bytes = try await request.body(
      limit: Limits.hubObjectBytes, in: objectRoom, slowest: Limits.slowestPlaceBytesPerSecond)
    let put = try await store.put(bytes, as: name, of: person, now: now())
    watch.grew([.objects(person: person): put.last])
    return Answer(
      status: put.isNew ? 201 : 200, content: .text("{\"size\":\(bytes.count),\"last\":\(put.last)}"),
      fields: [(.cacheControl, "no-store")])
  }

  /// Returns the number of the caller's user. Throws `noToken` without a token, and `notFound` if the token
  /// doesn't belong to a user.
  private func person(_ caller: HubAccess?) throws(HubFailure) -> Int {
    guard let caller else { throw .noToken }
    guard let person = caller.person else { throw .notFound }
    return person
  }
}
