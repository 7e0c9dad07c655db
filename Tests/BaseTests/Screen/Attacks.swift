/// Texts that try to control the terminal, or to move the text next to them.
enum Attacks {
  static let all: [String] = [
    "\u{1B}[2J\u{1B}[H", "\u{1B}[31mred\u{1B}[0m", "\u{9B}31mred", "\u{1B}]0;title\u{7}",
    "\u{1B}]2;title\u{1B}\\",
    "\u{1B}]8;;http://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\", "\u{1B}]52;c;ZXZpbA==\u{7}",
    "\u{1B}]52;c;ZXZpbA==\u{9C}",
    "\u{9D}52;c;ZXZpbA==\u{9C}", "\u{1B}P$q\"p\u{1B}\\", "\u{90}$qm\u{9C}", "\u{1B}_Gq=1\u{1B}\\",
    "\u{9F}x\u{9C}", "\u{1B}^pm\u{1B}\\",
    "\u{9E}pm\u{9C}", "\u{1B}Xsos\u{1B}\\", "\u{98}sos\u{9C}", "\u{1B}[6n", "\u{1B}[c", "\u{1B}[>c",
    "\u{1B}[21t", "\u{1B}c", "\u{1B}(0",
    "safe\rEVIL", "safe\u{8}\u{8}\u{8}\u{8}EVIL", "\u{7}\u{7}", "\u{E}so\u{F}si", "\u{B}\u{C}", "a\u{0}b",
    "\u{7F}del", "\u{85}nel",
    "\u{202E}gpj.exe", "\u{202A}a\u{202B}b\u{202C}c\u{202D}d", "\u{2066}a\u{2067}b\u{2068}c\u{2069}",
    "\u{200E}\u{200F}\u{61C}",
    "\u{E0001}\u{E0041}\u{E007F}tags", "\u{2028}line\u{2029}paragraph", "\u{FFF9}a\u{FFFA}b\u{FFFB}",
    "so\u{AD}ft", "z\u{200B}w",
    "\u{FEFF}bom", noncharacters, "e" + String(repeating: "\u{301}", count: 1000),
    String(repeating: "\u{489}", count: 50),
    String(decoding: [0x41, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xFF, 0x9B, 0x42], as: UTF8.self),
    "\u{378}\u{0380}unassigned", "\u{1D173}\u{1D17A}", "\u{34F}\u{2061}\u{206A}",
    "\u{115F}\u{1160}\u{3164}\u{FFA0}", "\u{E000}\u{F0000}",
  ]

  /// The characters by number, because the compiler refuses some of them in a literal.
  private static let noncharacters = String(
    String.UnicodeScalarView(
      [0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFF].compactMap { Unicode.Scalar(UInt32($0)) }))

  /// Harmless strings that terminals show differently.
  static let scripts: [String] = [
    "中文测试，你好", "日本語のテキスト", "한국어", "\u{1112}\u{1161}\u{11AB}", "\u{1161}", "👨‍👩‍👧‍👦", "👋🏽", "🇩🇪🇫🇷", "❤️ ☝🏽 🏳️‍🌈", "1️⃣2️⃣",
    "مرحبا بالعالم", "می‌خواهم", "नमस्ते क्‍ष", "ශ්‍රී ලංකා", "สวัสดีครับ", "ខ្មែរ", "בְּרֵאשִׁית", "e\u{301}\u{302}", "葛\u{E0100}",
  ]

  /// Whether a code point is allowed in a cell.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200D...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF,
      0xFFF9...0xFFFB, 0xFDD0...0xFDEF, 0xE0000...0xE0FFF, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF:
      false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
