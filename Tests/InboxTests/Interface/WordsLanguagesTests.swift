import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Words

struct WordsLanguagesTests {
  @Test(arguments: [
    ("en", "en"), ("zh-Hans", "zh-Hans"), ("zh-Hant", "zh-Hant"), ("hi", "hi"),
    // The script of a region.
    ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-MY", "zh-Hans"),
    ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("zh-MO", "zh-Hant"),
    // A given script goes before the region.
    ("zh-Hant-CN", "zh-Hant"), ("zh-Hans-TW", "zh-Hans"), ("zh-Hans-HK", "zh-Hans"),
    ("zh-Hant-HK", "zh-Hant"),
    // POSIX.
    ("zh_TW.UTF-8", "zh-Hant"), ("zh_CN.utf8", "zh-Hans"), ("zh_HK", "zh-Hant"), ("zh_TW@radical", "zh-Hant"),
    ("hi_IN.UTF-8", "hi"), ("en_US.UTF-8", "en"), ("C", "en"), ("C.UTF-8", "en"), ("POSIX", "en"),
    // Letters of either case.
    ("ZH-hant-tw", "zh-Hant"), ("ZH_tw", "zh-Hant"), ("HI", "hi"), (" hi ", "hi"),
    // Languages with the same written form.
    ("cmn", "zh-Hans"), ("cmn-Hant", "zh-Hant"), ("yue", "zh-Hant"), ("yue-CN", "zh-Hans"),
    ("zh-yue", "zh-Hant"),
    ("hi-IN", "hi"), ("hi-Deva-IN", "hi"), ("hi-Latn", "en"), ("en-IN", "en"),
    // Other languages, or invalid tags.
    ("mr", "en"), ("ja", "en"), ("fr-CA", "en"), ("zha", "en"), ("hil", "en"), ("", "en"), ("-", "en"),
    ("_.@", "en"),
    ("x-zh", "en"), ("\u{1B}[zh", "en"), ("default", "en"),
  ])
  func aReaderGetsTheNearestLanguage(tag: String, language: String) {
    #expect(Words.named(tag).language == language)
  }

  @Test func everyLanguageIsFoundByItsOwnTag() {
    #expect(Words.languages == ["en", "zh-Hans", "zh-Hant", "hi"])
    for tag in Words.languages { #expect(Words.named(tag).language == tag) }
    #expect(Words.named("en") == .english)
  }

  /// Friday 20 November 2026, 14:03 UTC.
  private let date = Date(timeIntervalSince1970: 1_795_183_380)

  @Test(arguments: [
    ("en", "Friday 20 November 2026, 14:03"), ("zh-Hans", "2026年11月20日 星期五 14:03"),
    ("zh-Hant", "2026年11月20日 星期五 14:03"), ("hi", "शुक्रवार, 20 नवंबर 2026, 14:03"),
  ])
  func datesAreWrittenAsTheLanguageWritesThem(tag: String, text: String) {
    #expect(Words.named(tag).fullDate(date, in: .gmt).text == text)
  }

  @Test(arguments: [
    ("en", ["14:03", "Thu", "10 Oct", "11 Sep 24"]), ("zh-Hans", ["14:03", "周四", "10月10日", "24年9月11日"]),
    ("zh-Hant", ["14:03", "週四", "10月10日", "24年9月11日"]), ("hi", ["14:03", "गुरु", "10 अक्तू॰", "11 सित॰ 24"]),
  ])
  func timesOfAListAreShort(tag: String, texts: [String]) {
    let words = Words.named(tag)
    let today = WallTime(date, in: .gmt)
    let ages: [Double] = [0, 1, 41, 800]
    let times = ages.map { words.listTime(WallTime(date - $0 * 86400, in: .gmt), today: today) }
    #expect(times.map(\.text) == texts)
  }

  @Test(arguments: Words.languages)
  func everyTimeOfAListFitsItsColumns(tag: String) {
    let words = Words.named(tag)
    let today = WallTime(date, in: .gmt)
    for day in 0..<800 {
      let time = WallTime(date - Double(day) * 86400, in: .gmt)
      let isOfThisYear = time.date.year == today.date.year
      let columns = words.listTime(time, today: today).columns
      #expect(columns <= (isOfThisYear ? words.timeColumns() : words.timeColumns(anyYear: true)))
    }
    #expect(words.timeColumns() <= 9 && words.timeColumns(anyYear: true) <= 12)
    for day in 0..<7 {
      let earlier = date - Double(day) * 86400
      #expect(words.instant(earlier, from: date, in: .gmt).columns <= words.clockColumns)
    }
  }

  @Test(arguments: [
    ("zh-Hans", ["0 条新消息", "1 条新消息", "2 条新消息"]), ("zh-Hant", ["0 則新訊息", "1 則新訊息", "2 則新訊息"]),
    ("hi", ["0 नया संदेश", "1 नया संदेश", "2 नए संदेश"]), ("en", ["0 new", "1 new", "2 new"]),
  ])
  func numbersAgreeWithWhatIsCounted(tag: String, texts: [String]) {
    let words = Words.named(tag)
    #expect([0, 1, 2].map { words.count(.refreshNew, $0).text } == texts)
  }

  @Test(arguments: [
    ("zh-Hans", "60 秒内没有响应（读取时）。", "服务器返回：500 Internal Server Error", "暂缓至 14:23：服务器要求等待（a.example）"),
    ("zh-Hant", "60 秒內沒有回應（讀取時）。", "伺服器回應：500 Internal Server Error", "暫緩至 14:23：伺服器要求等待（a.example）"),
    (
      "hi", "60 सेकंड तक कोई उत्तर नहीं मिला (पढ़ते समय)।", "सर्वर का उत्तर: 500 Internal Server Error",
      "14:23 तक स्थगित: सर्वर ने प्रतीक्षा करने को कहा (a.example)"
    ),
  ])
  func sentencesArePutTogether(tag: String, late: String, status: String, held: String) {
    let words = Words.named(tag)
    #expect(words.sentence(.timedOut(.reading, seconds: 60)).text == late)
    #expect(words.sentence(.status(500, reason: "Internal Server Error")).text == status)
    let wait = words.heldBack(until: date + 1200, rule: .retryAfter(host: "a.example"), at: date, in: .gmt)
    #expect(wait.text == held)
  }
}
