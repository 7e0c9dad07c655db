package import TOMLKit

/// Why a text can't be used.
package struct TOMLMistake: Error {
  /// From 1; 0 if it isn't known.
  package var line: Int
  /// A predicate such as "is not TOML: …".
  package var problem: String
}

/// Every TOML 1.0 text is read here: the parser ends the process for some texts, cuts others, and frees nothing.
package enum TOMLDocument {
  /// - Parameter body: gets the values, which it must not keep, and where they stand.
  /// - Throws: the first mistake.
  package static func read<Value>(
    _ text: String, _ body: (_ root: TOMLTable, _ lines: TOMLLines) -> Value
  ) throws(TOMLMistake) -> Value {
    // The parser stops at a NUL as if the text ended there; TOML does not allow control characters.
    if let zero = text.utf8.firstIndex(of: 0) {
      let line = text.utf8[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
      throw TOMLMistake(line: line, problem: "is not TOML: a NUL byte")
    }
    let lines = TOMLLines(text)
    // Only if the text before is valid: an earlier mistake is reported by the parser itself.
    if let trap = lines.trap, let before = try? TOMLTable(string: trap.before) {
      before.clear()
      throw TOMLMistake(
        line: trap.line, problem: "is not TOML: the name of a table, or a value, cannot begin like this")
    }
    let root: TOMLTable
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw TOMLMistake(line: error.source.begin.line, problem: "is not TOML: \(error.description)")
    } catch {
      throw TOMLMistake(line: 0, problem: "is not TOML: \(error)")
    }
    // TOMLKit frees no table.
    defer { root.clear() }
    // The parser cuts texts and keys at such a character.
    if let line = lines.nulLine {
      throw TOMLMistake(line: line, problem: "\\u0000 stands in a text, which no setting may hold")
    }
    return body(root, lines)
  }
}
