import ArgumentParser
import Basics
import Formats
import Foundation
import Hub
import Platform

/// `reddot-hub check --hook NAME FILE`, which shows the items that a delivery to a webhook would publish. The webhook's
/// secret isn't read, and nothing is stored.
struct HookTrial {
  private let hook: Hook

  init(_ settings: HubSettings, _ name: String) throws {
    guard let hook = settings.hooks.first(where: { $0.name.text == name }) else {
      throw HubProgram.Failed(sentence: "no [[hook]] named \(name) in the settings")
    }
    self.hook = hook.hook([])
  }

  /// Prints one item per line, as it would be stored.
  func run(_ file: String) throws {
    let bytes = try GivenFile.read(file, limit: Limits.hubHookBytes)
    let now = Date()
    switch try HookReader(hook, now: now).read(HookDelivery(recorded: bytes)) {
    case .ping: print("a test of the sender")
    case .ignored: print("ignored")
    case .withdrawal(let key): print("withdraws \(key)")
    case .items(let items): try show(items, [], now)
    case .partial(let items, let problems): try show(items, problems, now)
    }
  }

  private func show(_ items: [HookItem], _ unreadable: [FormatProblem], _ now: Date) throws {
    let (publications, problems) = try PublicationReader(now: now, author: hook.name.text)
      .hook(items, unreadable)
    for item in publications {
      let state = item.notBefore == nil ? "" : "later  "
      print("\(state)\(item.key ?? "-")  \(item.body)")
    }
    for problem in problems { print("not stored: \(problem.at): \(problem.message)") }
  }
}
