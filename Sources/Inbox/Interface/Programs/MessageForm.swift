import Basics
import Screen

/// The format of messages for programs and files.
package enum MessageForm: Hashable, Sendable {
  /// The lines of the reader, as `reddot show` prints them.
  case text
  /// Markdown, without wrapped lines.
  case markdown
  /// A complete HTML page.
  case html
  /// The object of `reddot show --json`; several messages are one per line.
  case json

  /// Creates the format for the number before the key that passes a message to a command: 2 is HTML, 3 is JSON.
  init(count: Int?) {
    switch count {
    case 2: self = .html
    case 3: self = .json
    case _: self = .markdown
    }
  }

  /// Creates the format for a file name's extension.
  package init(file: String) {
    let name = file.split(onBytes: "/").last ?? ""
    let end = name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() }
    switch end {
    case "md", "markdown": self = .markdown
    case "html", "htm", "xhtml": self = .html
    case "json": self = .json
    case _: self = .text
    }
  }

  /// Returns a file name for the message, made of letters and digits: one component of a path, not a hidden file, and
  /// never an option of a program.
  static func fileName(title: String, id: Int64) -> String {
    let longest = 80
    var name = ""
    var isGap = false
    for character in SafeText(untrusted: title).text {
      // Some letters join the next symbol to one character, even a slash.
      let isWord =
        (character.isLetter || character.isNumber)
        && character.utf8.allSatisfy { $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit }
      guard isWord || (character == "." && !name.isEmpty) else {
        isGap = true
        continue
      }
      let new = (isGap && !name.isEmpty ? "-" : "") + String(character)
      guard name.utf8.count + new.utf8.count <= longest else { break }
      name += new
      isGap = false
    }
    while name.last == "." { name.removeLast() }
    return (name.isEmpty ? "message-\(id)" : name) + ".md"
  }
}

/// The result of a command that got a message.
package enum PipeEnd: Hashable, Sendable {
  /// - said: the last line of standard error, or of standard output if that is empty; `nil` if both are empty.
  case ended(status: Int32, said: String?)
  /// The command did not run, or not to its end; the reason is a clause.
  case failed(reason: String)
}

/// The result of saving a message.
package enum SaveAnswer: Hashable, Sendable {
  /// - onlyFirst: the number of saved messages, if there were too many.
  case saved(path: String, onlyFirst: Int? = nil)
  /// The file already exists, and was not changed.
  case isThere
  /// The file was not written; the reason is a clause.
  case failed(reason: String)
}
