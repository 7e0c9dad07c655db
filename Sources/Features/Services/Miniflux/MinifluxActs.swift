import Basics
import Formats
import HTTP
import Messages

/// Sends the user's changes to a Miniflux server.
struct MinifluxActs {
  let server: MinifluxServer

  /// Sends all changes of the same kind with one request, except that older servers need requests for each star.
  func carry(_ acts: [OutgoingAct]) async -> WriteBackResult {
    var result = WriteBackResult()
    for isRead in [true, false] {
      let batch = acts.filter { $0.mark == .read(isRead) }
      await update(batch, "status", .string(isRead ? "read" : "unread"), &result)
      if result.failure != nil { return result }
    }
    let stars = acts.filter { if case .starred = $0.mark { true } else { false } }
    guard !stars.isEmpty else { return result }
    do throws(ServiceFailure) {
      if try await setsStars() {
        for isStarred in [true, false] {
          await update(stars.filter { $0.mark == .starred(isStarred) }, "starred", .bool(isStarred), &result)
          if result.failure != nil { return result }
        }
        return result
      }
    } catch {
      result.add(error, of: stars)
      return result
    }
    for act in stars {
      do throws(ServiceFailure) {
        try await toggle(act)
        result.carried.insert(act.id)
      } catch {
        // The entry or the address does not exist.
        result.add(error, of: [act], isGone: MinifluxAdapter.saysGone(error))
        if result.failure != nil { return result }
      }
    }
    return result
  }

  /// Sends one request that sets a field of all the acts' entries. The server ignores unknown ids.
  private func update(
    _ acts: [OutgoingAct], _ key: String, _ value: JSONValue, _ result: inout WriteBackResult
  ) async {
    let known = acts.filter { Int($0.remoteID.text) != nil }
    result.carried.formUnion(acts.filter { Int($0.remoteID.text) == nil }.map(\.id))
    guard !known.isEmpty else { return }
    var body = JSONObject()
    body["entry_ids"] = .array(known.map { .number($0.remoteID.text) })
    body[key] = value
    do throws(ServiceFailure) {
      _ = try await server.client.send(.put, server.address("/entries"), json: .object(body))
      result.carried.formUnion(known.map(\.id))
    } catch {
      result.add(error, of: known)
    }
  }

  /// Whether entries can be starred in the same way as they are marked as read: since version 2.3.2.
  private func setsStars() async throws(ServiceFailure) -> Bool {
    do throws(ServiceFailure) {
      let answer = try await server.client.get(server.address("/version"))
      let text = try answer.json().object?["version"]?.text ?? ""
      let numbers = text.split(onBytes: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
      return !numbers.lexicographicallyPrecedes([2, 3, 2])
    } catch {
      // Old versions do not report their version.
      if error.status == 404 { return false }
      throw error
    }
  }

  /// Changes a star with a call that inverts it. The current state is requested first, and the call is never repeated
  /// blindly: if its response is lost, the next attempt requests the state again.
  private func toggle(_ act: OutgoingAct) async throws(ServiceFailure) {
    guard case .starred(let wanted) = act.mark, Int(act.remoteID.text) != nil else { return }
    let path = "/entries/\(act.remoteID.text)"
    let entry = try await server.client.get(server.address(path)).json()
    guard let isStarred = entry.object?["starred"]?.bool else {
      throw ServiceFailure(malformed: "an entry without its star")
    }
    if isStarred == wanted { return }
    do throws(ServiceFailure) {
      try await turn(path + "/star")
    } catch {
      // The name of the address before version 2.2.
      guard error.status == 404 || error.status == 405 else { throw error }
      try await turn(path + "/bookmark")
    }
  }

  /// Sends a request that inverts a star. It is never repeated automatically.
  private func turn(_ path: String) async throws(ServiceFailure) {
    var request = server.client.request(
      .put, server.address(path), [HeaderField("Accept", "application/json")])
    request.isRepeatable = false
    _ = try await server.client.send(request)
  }
}
