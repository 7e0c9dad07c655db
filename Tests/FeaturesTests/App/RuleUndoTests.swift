import Foundation
import Messages
import Polling
import Storage
import Testing

@testable import Notifications
@testable import Platform
@testable import Profile
@testable import Settings

/// The messages that rules hide, when edits of the settings change the rules and are undone.
struct RuleUndoTests {
  private let settings: EditedSettings

  init() async throws {
    settings = try EditedSettings(Self.file)
    try await settings.push(6) { _ in "jobs" }
    _ = try open()
  }

  private static let file = """
    [[rule]]
    name = "odd"  # and more
    when = "title:1 OR title:3 OR title:5"
    do = ["hide"]
    stop = true

    [[rule]]
    name = "small"
    when = "title:1 OR title:2"
    do = ["hide", "star"]

    [[source]]
    name = "jobs"
    kind = "local"
    """

  /// Another process.
  private func open() throws -> Profile {
    settings.time.pass(60)
    return try read(settings.open())
  }

  /// The process reads the settings again.
  private func read(_ profile: Profile) throws -> Profile {
    let fresh = try profile.reopened()
    try fresh.applyRulesAndLists()
    return fresh
  }

  private func state() throws -> [String] { try settings.state(open()) }

  private func hidden() throws -> [String: [Int64]] {
    let profile = try open()
    var hidden: [String: [Int64]] = [:]
    for id in 1...20 as ClosedRange<Int64> {
      if let rule = try profile.store.rules.hider(of: MessageID(id)) {
        hidden[rule, default: []].append(id)
      }
    }
    return hidden
  }

  private func push(_ id: String, _ title: String) async throws {
    let message = IncomingMessage(remoteID: RemoteID(id), kind: .local, title: title, body: "")
    _ = try await open().observedArrival.push(message, into: "jobs")
  }

  enum Edit: CaseIterable {
    case removed, off, narrower, wider, renamed, harmless

    fileprivate func make(_ profile: Profile) throws {
      let file = profile.settingsFile
      var entry = RuleEntry(
        name: "odd", when: "title:1 OR title:3 OR title:5", actions: ["hide"], stops: true)
      switch self {
      case .removed: return try profile.remove(ruleNamed: "odd")
      case .off: return #expect(try file.change(rule: "odd", isEnabled: false))
      case .narrower: entry.when = "title:3"
      case .wider: entry.when = "title:1 OR is:unread"
      case .renamed: entry.name = "strange"
      case .harmless: entry.actions = ["star"]
      }
      #expect(try file.change(rule: "odd", to: entry))
    }
  }

  @Test(arguments: Edit.allCases) func whatARuleHidIsHiddenAgain(edit: Edit) throws {
    let before = try state()
    #expect(try hidden() == ["odd": [1, 3, 5], "small": [2]])
    try edit.make(open())
    let after = try state()
    #expect(after != before)
    for _ in 0..<2 {
      #expect(try open().undo() != nil)
      #expect(try state() == before)
      #expect(try open().redo() != nil)
      #expect(try state() == after)
    }
    #expect(try open().undo() != nil)
    #expect(try state() == before)
    #expect(try open().store.check.compareAll() == [])
  }

  @Test func theNextRuleThatHidesAMessageHasItMeanwhile() throws {
    try open().remove(ruleNamed: "odd")
    #expect(try hidden() == ["small": [1, 2]])
    try open().remove(ruleNamed: "small")
    #expect(try hidden().isEmpty)
    #expect(try open().undo() != nil)
    #expect(try hidden() == ["small": [1, 2]])
    #expect(try open().undo() != nil)
    #expect(try hidden() == ["odd": [1, 3, 5], "small": [2]])
    // The changes that the other rule made in the meantime are reverted.
    #expect(try open().message(MessageID(1))?.isStarred == false)
  }

  /// No process has judged in between.
  @Test func severalEditsAreUndoneThatNoProcessHasApplied() throws {
    let before = try state()
    let profile = try open()
    try Edit.narrower.make(profile)
    _ = try profile.settingsFile.change(
      rule: "odd", to: RuleEntry(name: "odd", when: "title:7", actions: ["hide"]))
    #expect(try hidden() == ["small": [1, 2]])
    #expect(try open().undo() != nil)
    #expect(try open().undo() != nil)
    #expect(try state() == before)
  }

  /// Each edit and each undo follows the one before without a pause. A message that was read since must not be judged by
  /// the restored rule, which hides unread ones.
  @Test func editsThatFollowEachOtherAtOnceAreUndoneOneByOne() throws {
    _ = try open().settingsFile.change(
      rule: "odd", to: RuleEntry(name: "odd", when: "is:unread", actions: ["hide"]))
    #expect(try hidden() == ["odd": [1, 3, 5], "small": [2]])
    try open().perform(.read([MessageID(3)]))
    let before = try state()
    let profile = try open()
    for title in ["5", "6"] {
      _ = try profile.settingsFile.change(
        rule: "odd", to: RuleEntry(name: "odd", when: "title:\(title)", actions: ["hide"]))
    }
    #expect(try hidden() == ["small": [1, 2]])
    for _ in 0..<2 { #expect(try open().undo() != nil) }
    #expect(try state() == before)
    let other = try open()
    for _ in 0..<2 { _ = try other.redoLastAct() }
    #expect(try hidden() == ["small": [1, 2]])
    for _ in 0..<2 { _ = try other.undoLastAct() }
    #expect(try state() == before)
  }

  @Test func whatArrivesInBetweenIsJudgedByTheRulesOfThatTime() async throws {
    try Edit.narrower.make(open())
    try await push("7", "3 again")
    try await push("8", "5 again")
    #expect(try hidden() == ["odd": [3, 7], "small": [1, 2]])
    _ = try open().undo()
    #expect(try hidden() == ["odd": [1, 3, 5, 7], "small": [2]])
    try await push("9", "5 once more")
    #expect(try hidden() == ["odd": [1, 3, 5, 7, 9], "small": [2]])
    _ = try open().redo()
    #expect(try hidden() == ["odd": [3, 7], "small": [1, 2]])
    _ = try open().undo()
    #expect(try hidden() == ["odd": [1, 3, 5, 7, 9], "small": [2]])
    #expect(try open().store.check.compareAll() == [])
  }

  @Test func whatANewRuleHidIsHiddenAgainByTheRedo() async throws {
    try open().settingsFile.append(rule: RuleEntry(name: "late", when: "title:late", actions: ["hide"]))
    try await push("7", "late")
    #expect(try hidden()["late"] == [7])
    _ = try open().undo()
    #expect(try hidden()["late"] == nil)
    _ = try open().redo()
    #expect(try hidden()["late"] == [7])
  }

  /// The content differs from the one that the rule had judged.
  @Test func aMessageWithOtherContentIsJudgedByThat() async throws {
    try open().remove(ruleNamed: "odd")
    try await push("5", "Now it failed")
    _ = try open().undo()
    #expect(try hidden() == ["odd": [1, 3], "small": [2]])
  }

  @Test func aRuleThatIsSwitchedOffAndOnHidesTheSameMessages() throws {
    let before = try state()
    try Edit.off.make(open())
    #expect(try hidden() == ["small": [1, 2]])
    _ = try open().settingsFile.change(rule: "odd", isEnabled: true)
    #expect(try state() == before)
    #expect(try open().undo() == "Undid: switched the rule odd on")
    #expect(try hidden() == ["small": [1, 2]])
  }

  /// The user's changes take precedence, whoever wrote the rule.
  @Test func aMessageThatTheUserHasReadIsHiddenAgainAndStaysRead() throws {
    try open().remove(ruleNamed: "odd")
    _ = try open()
    try open().perform(.read([MessageID(3)]))
    _ = try open().undo()
    _ = try open().undo()
    #expect(try hidden() == ["odd": [1, 3, 5], "small": [2]])
    try open().perform(.undismiss([MessageID(3)]))
    #expect(try hidden()["odd"] == [1, 5])
    try open().remove(ruleNamed: "odd")
    _ = try open()
    _ = try open().undo()
    #expect(try hidden()["odd"] == [1, 5])
    _ = try open().undo()
    #expect(try hidden()["odd"] == [1, 3, 5])
  }

  @Test func whatRulesDidIsKeptOverTheUndo() throws {
    let touched = try open().store.rules.records()["odd"]?.hits
    #expect(touched == 3)
    try open().remove(ruleNamed: "odd")
    #expect(try open().store.rules.records()["odd"] == nil)
    _ = try open().undo()
    #expect(try open().store.rules.records()["odd"]?.hits == touched)
  }
}
