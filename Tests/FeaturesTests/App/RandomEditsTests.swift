import Basics
import Foundation
import Messages
import Notifications
import Storage
import TestBasics
import Testing

@testable import Platform
@testable import Profile
@testable import Settings
@testable import Subscriptions

/// Acts and edits of the settings in any order, undone and done again by several processes.
struct RandomEditsTests {
  /// One such history.
  private final class Run {
    let settings: EditedSettings
    var random: SeededRandom
    var profile: Profile
    var number = 0

    init(seed: Int) async throws {
      settings = try EditedSettings(seed % 3 == 0 ? Self.file.replacing("\n", with: "\r\n") : Self.file)
      random = SeededRandom(seed: seed)
      try await settings.push(6) { $0 < 5 ? "jobs" : "cron" }
      profile = try settings.open()
      try profile.applyRulesAndLists()
    }

    static let file = """
      # mine
      theme = "dark"
      [[source]]
      name = "a"  # first
      url = "https://ada:pw@a.example/"
      interval = "1h"

      # about b
      [[source]]
      name = "b"
      url = "https://b.example/"
      token = "hunter2"
      paused = true
      [source.types]
      1 = "others"

      [[list]]
      name = "Soon"
      query = "is:unread"

      [[rule]]
      name = "noise"
      when = "title:x"
      do = ["read"]

      [[rule]]
      name = "few"
      when = "title:2 OR title:5"
      do = ["hide"]

      [[rule]]
      name = "many"
      when = "-title:1"
      do = ["hide", "tag:many"]
      stop = true

      [[rule]]
      name = "tags"
      when = "-title:3"
      do = ["tag:some"]

      [[source]]
      name = "jobs"
      kind = "local"

      [[list]]
      name = "Late"   # two
      query = "is:starred"
      """

    func state() throws -> [String] { try settings.state(profile) }

    /// Continues as another process, which knows no secrets.
    func restart() throws {
      settings.time.pass(60)
      profile = try settings.open()
    }

    private func any<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }

    private var file: SettingsFile { profile.settingsFile }

    private func rule(named name: String) -> RuleEntry {
      let conditions = ["title:y", "title:\(number % 7)", "-title:\(number % 6)", "is:unread", "is:starred"]
      let actions = [["star"], ["hide"], ["hide", "star"], ["hide", "tag:x"], ["hide", "read"]]
      return RuleEntry(
        name: name, when: any(conditions) ?? "", actions: any(actions) ?? [],
        stops: Bool.random(using: &random))
    }

    /// The process reads the settings that it changed.
    func readAgain() throws {
      profile = try profile.reopened()
      try profile.applyRulesAndLists()
    }

    private func source() throws -> Source? { any(profile.sources) }

    /// - Returns: whether it may have done something.
    func act() throws {
      number += 1
      let names = { [profile] in profile.settings.sources.map(\.name) }
      switch Int.random(in: 0..<24, using: &random) {
      case 0: try file.append(sources: [["name = \"n\(number)\"", "url = \"https://n\(number).example/\""]])
      case 1:
        try file.append(
          sources: (1...3).map {
            ["name = \"i\(number) \($0)\"", "url = \"https://i\(number)\($0).example/\""]
          })
      case 2: if let source = try source() { try profile.rename(source, to: "r\(number)") }
      case 3:
        guard let source = try source() else { return }
        try profile.change(
          source, name: any([nil, "e\(number)"]) ?? nil,
          [.init("title", any([nil, "\"T\(number)\""]) ?? nil), .init("folder", "\"F\(number % 3)\"")])
      case 4: if let name = any(names()) { _ = try file.change(source: name, [.init("paused", "true")]) }
      case 5: if let name = any(names()) { _ = try file.change(source: name, [.init("paused", nil)]) }
      case 6:
        if let one = any(names()), let other = any(names()), one != other { try file.swap(one, with: other) }
      case 7: if let source = try source() { try profile.remove(source, called: source.name) }
      case 8: try file.append(list: "l\(number)", query: "is:unread")
      case 9:
        guard let list = any(profile.settings.lists) else { return }
        _ = try file.change(list: list.name, [.init("query", "\"title:x\(number)\"")])
      case 10:
        let lists = profile.settings.lists.map(\.name)
        if let one = any(lists), let other = any(lists), one != other { try file.swapLists(one, other) }
      case 11: if let list = any(profile.settings.lists) { try profile.remove(listNamed: list.name) }
      case 12: try file.append(rule: rule(named: "r\(number)"))
      case 13: _ = try profile.quiet(any(["2h", "3h", "off"]))
      case 14: try profile.perform(.star([MessageID(Int64.random(in: 1...6, using: &random))]))
      case 15: try profile.perform(.read([MessageID(Int64.random(in: 1...6, using: &random))]))
      case 19: try profile.perform(.undismiss([MessageID(Int64.random(in: 1...6, using: &random))]))
      case 16, 20: if let rule = any(profile.settings.rules) { try profile.remove(ruleNamed: rule.name) }
      case 17, 21:
        guard let rule = any(profile.settings.rules) else { return }
        let name = Int.random(in: 0..<3, using: &random) == 0 ? "c\(number)" : rule.name
        _ = try file.change(rule: rule.name, to: self.rule(named: name))
      case 18, 22:
        guard let rule = any(profile.settings.rules) else { return }
        _ = try file.change(rule: rule.name, isEnabled: !rule.written.isEnabled)
      default: try profile.perform(.dismiss([MessageID(Int64.random(in: 1...6, using: &random))]))
      }
      try readAgain()
    }
  }

  /// After each undo, the file and the database are as before the act, byte for byte; after each redo, as after it.
  @Test(arguments: 1...24) func everyActIsUndoneInItsOrder(seed: Int) async throws {
    let run = try await Run(seed: seed)
    var states = [try run.state()]
    for _ in 0..<30 {
      try run.act()
      let state = try run.state()
      if state != states.last { states.append(state) }
      guard Int.random(in: 0..<6, using: &run.random) == 0, states.count > 1 else { continue }
      let undone = states.removeLast()
      #expect(try run.profile.undo() != nil)
      run.profile = try run.profile.reopened()
      #expect(try run.state() == states.last)
      if Bool.random(using: &run.random) {
        #expect(try run.profile.redo() != nil)
        run.profile = try run.profile.reopened()
        #expect(try run.state() == undone)
        states.append(undone)
      }
    }
    #expect(states.count > 8)
    while states.count > 1 {
      states.removeLast()
      let sentence = try run.profile.undo()
      run.profile = try run.profile.reopened()
      let state = try run.state()
      #expect(
        state == states.last,
        "\(sentence ?? "nothing") of seed \(seed): \(state.dropFirst().difference(from: states[states.count - 1].dropFirst()))"
      )
      if state != states.last { return }
    }
    #expect(try run.profile.undo() == nil)
    #expect(try run.settings.folder.text() == states[0][0])
    #expect(try run.profile.store.check.compareAll() == [])
  }

  /// Undos of other processes lack only the secrets of the removed lines.
  @Test(arguments: 1...12) func otherProcessesUndoTheSame(seed: Int) async throws {
    let run = try await Run(seed: seed)
    var states = [try run.state()]
    for _ in 0..<20 {
      try run.act()
      let state = try run.state()
      if state != states.last { states.append(state) }
      if Bool.random(using: &run.random) { try run.restart() }
    }
    func known(_ state: [String]) -> [String] {
      state.map {
        $0.replacing("token = \"hunter2\"", with: "# token = ").replacing("ada:pw@", with: "")
      }
    }
    while states.count > 1 {
      states.removeLast()
      try run.restart()
      let sentence = try run.profile.undo()
      try run.restart()
      let state = try run.state()
      #expect(known(state) == known(states[states.count - 1]), "\(sentence ?? "nothing") of seed \(seed)")
      if known(state) != known(states[states.count - 1]) { return }
    }
    #expect(try run.profile.undo() == nil)
  }
}
