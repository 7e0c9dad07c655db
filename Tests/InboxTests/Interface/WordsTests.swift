import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Words

struct WordsTests {
  private let words = Words.english

  @Test(arguments: Phrase.allCases)
  func everyPhraseHasAText(phrase: Phrase) {
    #expect(!words(phrase, "a", "b", "c", "d", "e").isEmpty)
    // Templates are ASCII: other signs, which a terminal may not have, come from `Signs`.
    #expect(words(phrase).text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func argumentsAreFilledIn() {
    let german = Words(language: "de", plurals: .one) {
      $0 == "undone" ? "{2} {1}{3} {x}" : "1 Stern|{1} Sterne"
    }
    #expect(german(.undone, "a", "b").text == "b a {x}")
    #expect(german.count(.undoneStar, 1).text == "1 Stern")
    #expect(german.count(.undoneStar, 0).text == "0 Sterne")
  }

  @Test func languagesCountDifferently() {
    let texts: @Sendable (String) -> String? = { _ in "one|many {1}" }
    let hindi = Words(language: "hi", plurals: .zeroAndOne, text: texts)
    let chinese = Words(language: "zh-Hans", plurals: .none, text: texts)
    #expect([0, 1, 2].map { hindi.count(.unread, $0).text } == ["one", "one", "many 2"])
    #expect([0, 1, 2].map { chinese.count(.unread, $0).text } == ["many 0", "many 1", "many 2"])
  }

  @Test func aLanguageThatLacksTextsSaysTheirKeys() {
    let poor = Words(language: "xx", plurals: .none) { _ in nil }
    #expect(poor(.emptyList) == "emptyList")
    #expect(poor.page(.welcomeBody) == "welcomeBody")
    #expect(poor.help(.addSource) == "add_source")
    #expect(poor.months.count == 12)
    #expect(poor.weekdays.count == 7)
    #expect(poor.title(.quit) == "quit")
  }

  @Test(arguments: [
    (FetchFailure.invalidAddress(""), "\"\" is not a valid address for polls."),
    (.nameNotFound(host: "a.example"), "No server named a.example was found."),
    (.refused(host: "a.example", port: 81), "a.example refused the connection on port 81."),
    (.unreachable(host: "a", reason: "No route to host."), "a cannot be reached: No route to host."),
    (.unreachable(host: "a", reason: "रास्ता नहीं।"), "a cannot be reached: रास्ता नहीं."),
    (.unreachable(host: "a", reason: "کوئی راستہ نہیں۔"), "a cannot be reached: کوئی راستہ نہیں."),
    (.unreachable(host: "a", reason: "没有路由。"), "a cannot be reached: 没有路由."),
    (.timedOut(.reading, seconds: 60), "No answer after 60 seconds, while reading."),
    (.timedOut(.poll, seconds: 1), "No answer after 1 second, for the whole poll."),
    (.timedOut(.poll, seconds: 0.3), "No answer after 0.3 seconds, for the whole poll."),
    (.timedOut(.connecting, seconds: .nan), "No answer after 0 seconds, while connecting."),
    (.tls(host: "a", reason: "expired"), "No secure connection to a: expired."),
    (.status(500, reason: "Internal Server Error"), "The server answered 500 Internal Server Error."),
    (.status(599, reason: ""), "The server answered 599."),
    (.gone, "The source is gone for good (410) and is not polled any more."),
    (.heldBack(status: 429), "The server asked to wait (429)."),
    (.tooLarge(limit: 64 << 20), "The response is larger than the limit of 64 MiB."),
    (.cutOff(received: 1500), "The response was cut off after 1 KiB."),
    (.redirectLoop(limit: 10), "The address was redirected more than 10 times."),
    (.badRedirect("file:///etc"), "The server redirects to file:///etc, which cannot be followed."),
    (
      .insecureRedirect("http://a/"),
      "The server redirects from https to http://a/. The token is not sent without encryption."
    ),
    (.notAFeed(found: "a picture", alternates: []), "This is a picture, not a feed."),
    (
      .notAFeed(found: "an HTML page", alternates: ["https://a/feed"]),
      "This is an HTML page, not a feed. It points to https://a/feed."
    ),
    (.malformed(line: 3, reason: "no end tag"), "The response cannot be read: line 3, no end tag."),
    (.malformed(line: nil, reason: "empty"), "The response cannot be read: empty."),
    (.cursorStuck(page: 2), "The next page repeats the previous one, so the feed makes no progress."),
    (.file(path: "/tmp/x", reason: "No such file"), "/tmp/x cannot be read: No such file."),
    (.credentials(reason: "the command failed"), "The token is missing: the command failed."),
    (.program(reason: "ended with status 3: no host"), "The program ended with status 3: no host."),
    (.storage(reason: "disk full"), "The messages cannot be stored: disk full."),
    (.cancelled, "The poll was stopped."),
  ])
  func everyFailureIsOneSentence(failure: FetchFailure, sentence: String) {
    #expect(words.sentence(failure).text == sentence)
    #expect(!words.brief(failure).isEmpty)
    #expect(words.brief(failure).columns <= 20)
  }

  @Test func hostileTextInAFailureReachesNoTerminal() {
    let attack = "\u{1B}]0;pwned\u{7}\u{9B}31m\u{202E}" + String(repeating: "x", count: 5000)
    let sentence = words.sentence(.malformed(line: 1, reason: attack))
    #expect(sentence.columns < 300)
    #expect(sentence.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(!sentence.text.unicodeScalars.contains("\u{202E}"))
  }

  @Test func resultsOfRefreshesAreOneLine() {
    let now = ModelStore.start
    let zone = Stage.utc
    #expect(words.sentence(.new(count: 3), at: now, in: zone).text == "3 new")
    #expect(words.sentence(.nothingNew, at: now, in: zone).text == "Nothing new")
    #expect(words.sentence(.failed(.gone), at: now, in: zone) == words.sentence(.gone))
    let held = RefreshResult.heldBack(until: now + 1200, rule: .retryAfter(host: "a.example"))
    #expect(
      words.sentence(held, at: now, in: zone).text
        == "Held back until 14:20: the server asked to wait (a.example)")
    let tomorrow = RefreshResult.heldBack(until: now + 86400, rule: .skipDays)
    #expect(
      words.sentence(tomorrow, at: now, in: zone).text
        == "Held back until Sat 14:00: the feed asks for no polls on this day")
    #expect(
      words.sentence(.heldBack(until: .distantFuture, rule: .notPolled), at: now, in: zone).text
        == "Nothing here is polled: programs fill it.")
  }

  @Test(arguments: [
    WaitRule.initialDelay, .interval, .backoff(failures: 1), .grace, .retryAfter(host: "h"), .maxAge, .ttl,
    .skipHours, .skipDays, .schedule, .backlog, .gone, .notPolled,
  ])
  func everyRuleHasItsWords(rule: WaitRule) {
    #expect(!words.reason(rule).isEmpty)
    #expect(words.brief(rule).columns <= 20)
  }

  @Test(arguments: [
    (PollAttempt.Result.new(count: 3, updated: 0), "3 new"), (.new(count: 0, updated: 2), "2 changed"),
    (.new(count: 1, updated: 1), "1 new, 1 changed"), (.new(count: 0, updated: 0), "nothing new"),
    (.new(count: 1, updated: 3, back: 2), "1 new, 1 changed, 2 back"),
    (.new(count: 0, updated: 1, back: 1), "1 back"),
    (.nothingNew, "nothing new"), (.notModified, "nothing new (304)"), (.failed(.gone), "gone for good"),
    (.joined, "joined a poll that was already running"), (.started, "polling"),
    (.heldBack(until: ModelStore.start + 60, rule: .grace), "held back until 14:01:00: just polled"),
  ])
  func everyAttemptIsAFewWords(result: PollAttempt.Result, text: String) {
    var attempt = PollAttempt(
      source: SourceID(1), trigger: .soft, start: ModelStore.start, end: ModelStore.start, result: result)
    #expect(words.result(of: attempt, in: Stage.utc).text == text)
    attempt.problems = [FormatProblem(at: "1", message: "x"), FormatProblem(at: "2", message: "y")]
    #expect(words.result(of: attempt, in: Stage.utc).text == text + ", 2 problems")
  }
}
