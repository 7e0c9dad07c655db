import Foundation
import TestBasics

/// Strings that attack a terminal, and odd ones.
enum HostileText {
  /// Every attack ends in a word, by which it can be recognized.
  static let attacks: [String] = controls + invisible + encoded

  private static let controls: [String] = {
    let esc = "\u{1B}"
    let sequences = [
      "[31;45m", "[99;99H", "[2J", "[H", "[1000A", "[5;10r", "[?1049l", "[?1000l", "[?25l", "[6n", "[5n",
      "[c",
      "[>c", "[=c", "[21t", "[18t", "[8;5;5t", "[?6n", "[0x", "[4h", "[20h", "[!p", "[?3h", "[i", "[5i", "c",
      "#8",
      "(0", "7", "8", "M", "D", "E", "Z", "=", ">", "n", "o", "%G", "%@",
    ].map { esc + $0 }
    let strings = [
      "0;", "2;", "4;1;rgb:00/00/00", "8;;https://evil.example/", "10;?", "11;?", "52;c;UFdO", "52;c;?",
      "777;notify;a;b", "1337;File=:UFdO", "104",
    ].flatMap { text in
      ["\u{7}", esc + "\\", "\u{9C}"].flatMap { ["\(esc)]\(text)\($0)", "\u{9D}\(text)\($0)"] }
    }
    let longStrings = [
      "P$qm", "P$q\"p", "P+q544e", "P0;1|17/41", "_Gf=24,s=1,v=1;AAAA", "^secret", "Xsecret", "k title",
    ].map {
      "\(esc)\($0)\(esc)\\"
    }
    let single = [
      "\r", "\u{8}\u{8}\u{8}", "\u{7}", "\u{E}", "\u{F}", "\0", "\u{B}", "\u{C}", "\u{7F}", "\u{1A}",
      "\u{5}", "\u{11}", "\u{13}", "\t", "\n", "\u{85}", "\u{84}", "\u{8D}", "\u{8E}", "\u{90}x\u{9C}",
      "\u{98}x\u{9C}", "\u{9B}31m", "\u{9B}2J", "\u{9B}6n", "\u{9E}x\u{9C}", "\u{9F}x\u{9C}", esc, esc + "[",
      esc + "]",
    ]
    return (sequences + strings + longStrings + single).map { $0 + "PWN" }
  }()

  private static let invisible: [String] = [
    "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
    "\u{2069}",
    "\u{200E}", "\u{200F}", "\u{061C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}",
    "\u{2028}", "\u{2029}", "\u{FFF9}a\u{FFFA}b\u{FFFB}", "\u{E0041}\u{E0042}\u{E007F}", "\u{E0001}",
    "\u{FFFE}",
    "\u{FFFF}", "\u{10FFFF}", Unicode.Scalar(0xFDD0 as UInt32).map { String($0) } ?? "", "\u{34F}",
    "\u{115F}", "\u{3164}", "\u{FE0F}", "\u{180E}",
    "a" + String(repeating: "\u{300}", count: 1000), String(repeating: "\u{489}", count: 1000),
    String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 40),
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 ❤️ 中文消息 한국어 العربية مرحبا हिन्दी नमस्ते ไทย",
    String(repeating: "中", count: 200), String(repeating: "W", count: 3000),
    "ẞ\u{1D173}\u{1D17A}", "\u{1F3FB}\u{1F3FF}", "\u{A9C0}\u{1D165}", "\u{FDFD}\u{12219}",
  ].map { $0 + "PWN" }

  /// These become controls by decoding.
  private static let encoded: [String] = [
    "&#x1b;[31;45m", "&#27;[2J", "&#x9b;31m", "&#155;2J", "&amp;#x1b;[6n", "&#x1b;]0;", "&#7;", "&#x202e;",
    "&#xE0041;", "&#xD800;", "&#x110000;", "&#0;", "&#xFFFE;", "%1b%5b31m", "\\u001b[31m", "\\x1b[2J",
    "^[[31m",
    "&NewLine;&Tab;&ZeroWidthSpace;&zwj;&rlm;", "<b title=\"&#27;[2J\">", "<script>alert(1)</script>",
    "<!--\u{1B}[2J-->", "<a href=\"https://x.example/\u{1B}]0;a\u{7}\">", "<img alt=\"\u{1B}[2J\" src=\"x\">",
    "<pre>\u{1B}[2J\r\u{8}</pre>", "<a href=\"javascript:alert(1)\">", "]]>", "%s%n%d%@",
  ].map { $0 + "PWN" }

  /// Every attack, and every published text.
  static func all() throws -> [String] { try attacks + Corpora.naughtyTexts() }

  /// Returns all attacks and some of the published strings. Only one kind of document is tested with all strings, since the same
  /// readers read the other kinds.
  static func some() throws -> [String] {
    let published = try Corpora.naughtyTexts().enumerated().filter { $0.offset.isMultiple(of: 8) }
    return attacks + published.map(\.element)
  }
}
