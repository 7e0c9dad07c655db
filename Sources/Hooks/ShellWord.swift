/// A word for a POSIX shell, in which nothing has a meaning.
enum ShellWord {
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [0x2B, 0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
