import Basics
import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

@Suite struct LanguagesTests {
  let store: Store
  let source: SourceID

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("news") { $0.isUnreadOnChange = true })[0]
    try store.pollNothing(source)
  }

  private func greeting(_ id: String, in language: String = "en", _ texts: [(String, String)]? = nil)
    -> IncomingMessage
  {
    let texts = texts ?? [("en", "Hello \(id)"), ("zh-Hans", "你好 \(id)"), ("default", "✋ \(id)")]
    let chosen = texts.first { $0.0 == language } ?? texts[0]
    var message = message(id, chosen.1, body: "\(chosen.1)!")
    message.language = chosen.0 == LocalizedText.anyLanguage ? nil : chosen.0
    var extras = MessageExtras()
    extras.translations = texts.map { LocalizedText(language: $0.0, title: $0.1, body: "\($0.1)!") }
    message.extras = extras
    return message
  }

  /// Runs all steps, as in the inbox.
  private func translate(_ language: String, batch: Int = 1000) throws {
    var before: MessageID?
    repeat {
      before = try store.messages.translate(into: language, before: before, batch: batch) { tags in
        tags.firstIndex(of: language) ?? tags.firstIndex(of: LocalizedText.anyLanguage)
      }
    } while before != nil
  }

  @Test func storedMessagesAreReadAndFoundInTheOtherLanguage() throws {
    try store.poll(source, [greeting("a"), message("plain", "Untouched")])
    try store.acts.perform(.read([store.id("a", of: source)]), at: noon)
    try translate("zh-Hans")
    #expect(try store.titles() == ["Untouched", "你好 a"])
    let stored = try #require(try store.messages.find(RemoteID("a"), of: source))
    #expect(stored.content.body == "你好 a!" && stored.content.language == "zh-Hans")
    #expect(!stored.isUnread, "what was read stays read")
    #expect(try store.titles(search: "你好") == ["你好 a"])
    #expect(try store.titles(search: "hello") == [])
    #expect(try store.check.compareSearchIndex() == [])
    try store.expectConsistent()
    #expect(try store.messages.language() == "zh-Hans")
  }

  @Test func aLanguageWithoutATextGetsTheDefaultWithoutATag() throws {
    try store.poll(source, [greeting("a")])
    try translate("fi")
    let stored = try #require(try store.messages.find(RemoteID("a"), of: source))
    #expect(stored.content.title == "✋ a" && stored.content.language == nil)
  }

  @Test func newestFirstAndResumedWhereItWasCutOff() throws {
    try store.poll(source, (1...5).map { greeting("\($0)") })
    let next = try store.messages.translate(into: "zh-Hans", batch: 2) { $0.firstIndex(of: "zh-Hans") }
    #expect(next != nil)
    #expect(try store.titles() == ["你好 5", "你好 4", "Hello 3", "Hello 2", "Hello 1"])
    #expect(try store.messages.language() == nil, "so that the next start does it again")
    try translate("zh-Hans", batch: 2)
    #expect(try store.titles() == ["你好 5", "你好 4", "你好 3", "你好 2", "你好 1"])
    #expect(try store.check.compareSearchIndex() == [])
  }

  @Test func aRedeliveryInAnotherLanguageIsNotAChange() throws {
    try store.poll(source, [greeting("a")])
    try store.acts.perform(.read([store.id("a", of: source)]), at: noon)
    let again = try store.poll(source, [greeting("a", in: "zh-Hans")])
    #expect(again.new == 0 && again.updated == 0)
    #expect(try store.snapshot().unread == 0)
  }

  @Test func whatGainsTranslationsLaterIsTranslatedToo() throws {
    var (plain, translated) = (message("a", "Only one"), greeting("a"))
    (plain.url, translated.url) = ("https://example.org/a", "https://example.org/a")
    try store.poll(source, [plain])
    try store.poll(source, [translated])
    try translate("zh-Hans")
    #expect(try store.titles() == ["你好 a"])
  }

  @Test func aForgottenSourceLeavesNothingToTranslate() throws {
    try store.poll(source, [greeting("a")])
    try store.sources.forget(source)
    try translate("zh-Hans")
    #expect(try store.snapshot().total == 0)
  }

  // MARK: Lifetimes

  @Test(arguments: [
    (Lifetime.afterArrival(60), Double?.none, 60.0), (.afterArrival(60), 3600, 60),
    (.afterAppearance(60), nil, 60),
    (.afterAppearance(60), -3600, 60), (.afterAppearance(60), 30, 90),
  ])
  func aLifetimeIsCountedFromTheFirstArrival(_ lifetime: Lifetime, from: Double?, end: Double) throws {
    var message = message("a")
    message.lifetime = lifetime
    message.visibleFrom = from.map { noon + $0 }
    try store.poll(source, [message])
    // A redelivery isn't a change, and a changed one does not extend the lifetime.
    #expect(try store.poll(source, [message], at: noon + 20).updated == 0)
    message.body = "changed"
    #expect(try store.poll(source, [message], at: noon + 25).updated == 1)
    #expect(try store.messages.find(RemoteID("a"), of: source)?.content.expires == noon + end)
    try store.time.advance(to: noon + end - 1)
    #expect(try store.snapshot().total == ((from ?? 0) < end ? 1 : 0))
    try store.time.advance(to: noon + end)
    #expect(try store.snapshot().total == 0)
  }
}
