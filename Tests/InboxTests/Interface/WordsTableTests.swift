import Formats
import Foundation
import Messages
import Screen
import Testing

@testable import Words

/// Every language has all English strings, with its own number of forms and enough columns. WordsFilesTests checks the
/// files.
struct WordsTableTests {
  private static let translations = Words.languages.filter { $0 != "en" }

  /// Phrases that contain only names, signs and arguments.
  private static let wordless: Set<Phrase> = [
    .refreshFailed, .fullDate, .dayOfYear, .dayOfEarlierYear, .dayInFull, .dayInFullOfYear,
  ]
  private static let pages: [Phrase] = [.welcomeBody, .welcomeKeysBody, .welcomeScriptsBody]
  /// Phrases with a count whose English text has only one form.
  private static let counted: Set<Phrase> = [
    .noticeOfSource, .unread, .newMessages, .changedMessages, .refreshNew, .allRead,
  ]

  /// The text as the file has it, before its forms and arguments are taken apart.
  private static func source(_ tag: String, _ phrase: Phrase) throws -> String {
    let language = try #require(Language(rawValue: tag))
    return try #require(try language.strings()[phrase.rawValue], "\(language.file): \(phrase.rawValue)")
  }

  private static func filled(_ words: Words, _ phrase: Phrase) -> String {
    words(phrase, "<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "<9>").text
  }

  private static func arguments(_ text: String) -> [String] {
    text.matches(of: /<\d>/).map { String($0.output) }.sorted()
  }

  private static func isOwn(_ scalar: Unicode.Scalar, _ tag: String) -> Bool {
    tag == "hi" ? (0x900...0x97F).contains(scalar.value) : (0x4E00...0x9FFF).contains(scalar.value)
  }

  // MARK: Phrases

  @Test(arguments: translations)
  func everyPhraseIsThereInItsOwnScript(tag: String) {
    let words = Words.named(tag)
    for phrase in Phrase.allCases {
      let text = Self.filled(words, phrase)
      #expect(!text.isEmpty, "\(phrase)")
      #expect(!text.hasPrefix(" ") || Self.pages.contains(phrase), "\(phrase)")
      let isOwn = text.unicodeScalars.contains { Self.isOwn($0, tag) }
      #expect(isOwn || Self.wordless.contains(phrase), "\(phrase): \(text)")
    }
  }

  @Test(arguments: translations)
  func everyPhraseHasTheArgumentsOfTheEnglishOne(tag: String) {
    let words = Words.named(tag)
    for phrase in Phrase.allCases {
      let own = Self.filled(words, phrase)
      let english = Self.filled(.english, phrase)
      #expect(Self.arguments(own) == Self.arguments(english), "\(phrase): \(own)")
      #expect(!own.contains("{") && !own.contains("}"), "\(phrase): \(own)")
    }
  }

  @Test(arguments: translations)
  func everyPhraseHasTheFormsThatItsLanguageCountsWith(tag: String) throws {
    let words = Words.named(tag)
    for phrase in Phrase.allCases where !Self.pages.contains(phrase) {
      let forms = try Self.source(tag, phrase).split(separator: "|", omittingEmptySubsequences: false)
      let differs = Words.english.count(phrase, 1, "<2>") != Words.english(phrase, "1", "<2>")
      if tag == "hi", differs {
        #expect(forms.count == 2, "\(phrase)")
      } else if tag == "hi", Self.counted.contains(phrase) {
        #expect(forms.count <= 2, "\(phrase)")
      } else {
        #expect(forms.count == 1, "\(phrase)")
      }
      // Hindi has one form for 0 and 1, and Chinese one for all: the number is in all of them.
      if differs || Self.counted.contains(phrase) {
        for number in [0, 1, 2] {
          #expect(words.count(phrase, number).text.contains("\(number)"), "\(phrase)")
        }
        for form in forms { #expect(!form.trimmingCharacters(in: .whitespaces).isEmpty, "\(phrase)") }
      }
    }
  }

  @Test(arguments: translations)
  func phrasesHaveNoControlsAndNoCharactersOfAmbiguousWidth(tag: String) throws {
    var texts = try Phrase.allCases.map { try Self.source(tag, $0) }
    let words = Words.named(tag)
    texts += Command.allCases.flatMap { [words.title($0).text, words.help($0).text] }
    for text in texts {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(SafeText(untrusted: String(line)).text == line)
      }
      // Quotation marks, dashes and dots of U+2000 to U+206F are wide on some terminals and narrow on others.
      let odd = text.unicodeScalars.filter { scalar in
        (0x80...0x8FF).contains(scalar.value) || (0x2000...0x206F).contains(scalar.value)
          || scalar.properties.generalCategory == .format
          || scalar.properties.isWhitespace && scalar != " " && scalar != "\n"
      }
      #expect(odd.isEmpty, "\(text)")
      let composed = text.precomposedStringWithCanonicalMapping
      #expect(composed.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text)")
    }
  }

  @Test func simplifiedAndTraditionalAreNotMixed() throws {
    // Characters of these tables that differ between the two scripts.
    let simplified = "条读阅来检查记录订链标签号订脚启动响应务时发现权说详细显隐关闭历开门问题网页级别类频语击滚轮鼠释连续复撤销绍红点团队构闻"
    let traditional = "條讀閱來檢記錄訂鏈標籤號腳啟動響應務時發現權說詳細顯隱關閉歷開門問題網頁級別類頻語擊滾輪釋連續復銷紹紅點團隊構聞"
    let shared = Set(simplified).intersection(traditional)
    let hans = try Language.chineseSimplified.strings()
    for key in hans.keys {
      let mixed = Set(hans[key] ?? "").intersection(traditional).subtracting(shared)
      #expect(mixed.isEmpty, "\(Language.chineseSimplified.file): \(key)")
    }
    let hant = try Language.chineseTraditional.strings()
    for key in hant.keys {
      let mixed = Set(hant[key] ?? "").intersection(simplified).subtracting(shared + "查鼠撤")
      #expect(mixed.isEmpty, "\(Language.chineseTraditional.file): \(key)")
    }
  }

  // MARK: Commands

  @Test(arguments: translations)
  func everyCommandHasATitleAndAHelpLine(tag: String) {
    let words = Words.named(tag)
    for command in Command.allCases {
      for text in [words.title(command), words.help(command)] {
        #expect(
          text.text.unicodeScalars.contains { Self.isOwn($0, tag) }, "\(command.rawValue): \(text.text)")
        #expect(!text.text.contains("{") && !text.text.contains("|"))
      }
      #expect(words.title(command).columns <= 12, "\(command.rawValue)")
      #expect(words.help(command).columns <= 60, "\(command.rawValue)")
    }
    #expect(Set(Command.allCases.map(words.title)).count == Command.allCases.count)
    #expect(Set(Command.allCases.map(words.help)).count == Command.allCases.count)
    #expect(words.help(.suspend).text.contains("fg"))
  }

  // MARK: Lists of names

  @Test(arguments: Words.languages)
  func daysAndMonthsAreAllNamed(tag: String) {
    let words = Words.named(tag)
    #expect(words.weekdays.count == 7 && words.weekdaysInFull.count == 7)
    #expect(words.months.count == 12 && words.monthsInFull.count == 12)
    for names in [words.weekdays, words.weekdaysInFull, words.months, words.monthsInFull] {
      #expect(Set(names).count == names.count)
      // Only a number means that a name is missing.
      #expect(names.allSatisfy { Int($0.text) == nil && !$0.isEmpty })
    }
  }

  // MARK: Columns

  private static let failures: [FetchFailure] = [
    .invalidAddress("a"), .nameNotFound(host: "a"), .refused(host: "a", port: 1),
    .unreachable(host: "a", reason: "b"),
    .timedOut(.reading, seconds: 1), .tls(host: "a", reason: "b"), .status(500, reason: "b"), .gone,
    .heldBack(status: 429), .tooLarge(limit: 1), .cutOff(received: 1), .redirectLoop(limit: 1),
    .badRedirect("a"), .insecureRedirect("a"),
    .notAFeed(found: "a", alternates: []), .malformed(line: 1, reason: "b"), .cursorStuck(page: 1),
    .file(path: "a", reason: "b"), .credentials(reason: "b"), .program(reason: "b"), .storage(reason: "b"),
    .cancelled,
  ]
  private static let rules: [WaitRule] = [
    .initialDelay, .interval, .backoff(failures: 12), .grace, .retryAfter(host: "a"), .maxAge, .ttl,
    .skipHours,
    .skipDays, .schedule, .backlog, .gone, .notPolled,
  ]

  @Test(arguments: Words.languages)
  func fewWordsAreFew(tag: String) {
    let words = Words.named(tag)
    for failure in Self.failures { #expect(words.brief(failure).columns <= 20, "\(failure)") }
    for rule in Self.rules { #expect(words.brief(rule).columns <= 20, "\(rule)") }
    // A column of the timeline.
    for trigger in PollTrigger.allCases { #expect(words.name(trigger).columns <= 8, "\(trigger)") }
  }

  // MARK: Pages

  private static func page(_ words: Words, _ phrase: Phrase) -> String {
    words.page(phrase, "<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "<9>")
  }

  @Test(arguments: translations, pages)
  func pagesKeepTheirKeysCodeAndShape(tag: String, phrase: Phrase) {
    let own = Self.page(.named(tag), phrase)
    let english = Self.page(.english, phrase)
    #expect(own.split(separator: "\n").count > 4)
    let spans: (String) -> [String] = { $0.matches(of: /`[^`]+`/).map { String($0.output) } }
    #expect(spans(own) == spans(english))
    #expect(Self.arguments(own) == Self.arguments(english))
    // Code, headings, items and rows of tables, in their order.
    #expect(Self.shape(own) == Self.shape(english))
    #expect(Self.rows(own) == Self.rows(english))
  }

  private static func shape(_ page: String) -> [String] {
    page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("    ") { return String(line) }
      return line.first.map { "#-|".contains($0) ? String($0) : "text" } ?? ""
    }
  }

  /// First cells are keys, which are not translated; the heading is a word.
  private static func rows(_ page: String) -> [String] {
    page.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst().map { row in
      row.split(separator: "|").first.map(String.init) ?? ""
    }
  }
}
