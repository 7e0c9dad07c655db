import ArgumentParser
import Foundation
import HubItems
import Limits

/// `reddot-hub check --hook NAME FILE`: what a webhook makes of a delivery. Its secret isn't read, and nothing is stored.
struct HookTrial {
  private let hook: Hook

  init(_ settings: HubSettings, _ name: String) throws {
    guard let hook = settings.hooks.first(where: { $0.name.text == name }) else {
      throw HubProgram.Failed(sentence: "there is no [[hook]] with the name \(name)")
    }
    self.hook = hook.hook([])
  }

  /// Prints an item in each line, as it would be stored.
  func run(_ file: String) throws {
    let bytes: Data
    do {
      let handle: FileHandle =
        file == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      bytes = try Self.all(of: handle, limit: Limits.hubHookBytes)
    } catch {
      throw HubProgram.Failed(sentence: "\(file) can't be read: \(error.localizedDescription)")
    }
    guard bytes.count <= Limits.hubHookBytes else {
      throw HubFailure.tooLarge(file, limit: Limits.hubHookBytes)
    }
    let now = Date()
    switch try HookReader(hook, now: now).read(HookDelivery(recorded: bytes)) {
    case .ping: print("a test of the sender")
    case .ignored: print("ignored")
    case .items(let items):
      for item in try PublicationReader(now: now, author: hook.name.text).hook(items) {
        let state = item.notBefore == nil ? "" : "later  "
        print("\(state)\(item.key ?? "-")  \(item.body)")
      }
    }
  }

  private static func all(of handle: FileHandle, limit: Int) throws -> Data {
    var bytes = Data()
    while bytes.count <= limit, let more = try handle.read(upToCount: limit + 1 - bytes.count), !more.isEmpty
    {
      bytes.append(more)
    }
    return bytes
  }
}
